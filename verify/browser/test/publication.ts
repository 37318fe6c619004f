// A small publication, written from the specification for the tests: hashes and proofs are made here by the
// definitions of RFC 6962 and Node's own SHA-256. Only units are dealt by the code under test, which the vectors check.

import { createHash } from "node:crypto";

import { Aes256 } from "../src/aes.js";
import { base64, hex, joined, u32, u64, unhex, utf8 } from "../src/bytes.js";
import { Dealer } from "../src/deal.js";
import { readDefinition } from "../src/definition.js";
import { canonical, parse, type Json, type JsonObject } from "../src/json.js";
import { keyOf } from "../src/stream.js";

type Bytes = Uint8Array<ArrayBuffer>;
export const hash = (...parts: Uint8Array[]): Bytes => {
  const made = createHash("sha256");
  for (const part of parts) made.update(part);
  return new Uint8Array(made.digest());
};
const tag = (name: string): Bytes => joined(new Uint8Array([name.length]), utf8(name));
const variable = (bytes: Uint8Array): Bytes => joined(u32(bytes.length), bytes);
const zero = new Uint8Array([0]);
const one = new Uint8Array([1]);

/** MTH and PATH of RFC 6962, word for word. */
export function root(leaves: Uint8Array[]): Bytes {
  if (leaves.length === 0) return hash();
  if (leaves.length === 1) return new Uint8Array(leaves[0]!);
  const k = split(leaves.length);
  return hash(one, root(leaves.slice(0, k)), root(leaves.slice(k)));
}
export function path(index: number, leaves: Uint8Array[]): string[] {
  if (leaves.length <= 1) return [];
  const k = split(leaves.length);
  return index < k ? [...path(index, leaves.slice(0, k)), hex(root(leaves.slice(k)))] : [...path(index - k, leaves.slice(k)), hex(root(leaves.slice(0, k)))];
}
const split = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

export interface MadeUnit { prize: number; layout: Bytes; salt: Bytes }
export interface Sale { play: Bytes; at: number }

/** One block as its operator knows it. */
export interface Made {
  id: string;
  secret: string;
  game: string;
  definition: string; // canonical JSON
  size: number;
  price: number;
  units: MadeUnit[];
  sales: Sale[];
}

export const definitionHash = (text: string): string => hex(hash(tag("talon/definition/v1"), variable(utf8(text))));
export const leafOf = (block: string, index: number, unit: MadeUnit): Bytes =>
  hash(zero, tag("talon/unit/v1"), unhex(block), u64(index), u64(unit.prize), variable(unit.layout), unit.salt);
export const playOf = (block: string, index: number, salt: Uint8Array): Bytes => hash(tag("talon/play/v1"), unhex(block), u64(index), salt).slice(0, 16);
export const saleLeafOf = (block: string, index: number, sale: Sale): Bytes => hash(zero, tag("talon/sale/v1"), unhex(block), u64(index), sale.play, u64(sale.at));
export const commitmentOf = (block: string, secret: string): string => hex(hash(tag("talon/secret-commitment/v1"), variable(unhex(block)), variable(unhex(secret))));
export const shareCommitmentOf = (block: string, party: string, share: string): string =>
  hex(hash(tag("talon/contribution/v1"), variable(unhex(block)), variable(utf8(party)), variable(unhex(share))));

/** A secret for a test, made from words. Nobody could keep it. */
export const invented = (words: string): string => hex(hash(utf8(`invented for the tests: ${words}`)));
const identifier = (words: string): string => invented(words).slice(0, 32);

export function dealt(game: string, definition: string, id: string, secret: string): Made {
  const read = readDefinition(parse(definition), 0);
  const dealer = new Dealer(read, unhex(id), unhex(secret), read.size);
  const salts = new Aes256(keyOf(unhex(secret), unhex(id), "salt"));
  const words = new Int32Array(4);
  const units = Array.from({ length: read.size }, (_, index) => {
    const { prize, layout } = dealer.deal(index, new Int32Array(8), 0);
    salts.encrypt(0, 0, 0, index, words);
    return { prize, layout: new Uint8Array(layout), salt: joined(...[...words].map((word) => u32(word >>> 0))) };
  });
  return { id, secret, game, definition, size: read.size, price: read.price, units, sales: [] };
}

export const pot = canonical({
  block: { size: 300 }, kind: "jackpot", name: "petit-pot", one_in: 4, price: "0.03", start: 100, titles: { en: "Small pot", fr: "Petit pot" },
  shares: { operator: "0.009", pot: "0.016", reserve: "0.005" }, regulation: { title: "Petit pot" },
});

/** What the tests bend. Each is called before what follows from it is made. */
export interface Change {
  /** The blocks, before they are sealed: open, of participations, mixed, still sold. */
  blocks?(blocks: Blocks): void;
  /** The entries, before they are written. */
  entries?(entries: JsonObject[]): void;
  /** The texts of the entries, before they enter the tree. */
  texts?(texts: string[]): void;
  /** The files, when all is signed. */
  files?(files: Map<string, Bytes>): void;
}
export interface Blocks { open: Made; pots: Made; mixed: Made; sold: Made }

export interface Published {
  files: Map<string, Bytes>;
  blocks: Blocks;
  entries: JsonObject[];
  leaves: Bytes[];
  checkpoint: string;
  key: string;
}

export const start = Date.UTC(2026, 0, 1);
const minute = 60_000;
export const shares = [{ party: "operator", share: invented("share 0") }, { party: "court", share: invented("share 1") }];
export const signature = invented("signature").slice(0, 96);

/** The secret that the shares of the mixed block give. */
export const mixedSecret = (block: string): string => hex(hash(
  tag("talon/secret-mix/v1"), variable(unhex(block)), ...shares.flatMap(({ party, share }) => [variable(utf8(party)), variable(unhex(share))]), variable(hash(unhex(signature)))));

export function makeBlocks(lune: string): Blocks {
  const mixedID = identifier("mixed");
  const blocks = {
    open: dealt("lune", lune, identifier("open"), invented("open")),
    pots: dealt("petit-pot", pot, identifier("pots"), invented("pots")),
    mixed: dealt("lune", lune, mixedID, mixedSecret(mixedID)),
    sold: dealt("lune", lune, identifier("sold"), invented("sold")),
  };
  for (const [block, count, from] of [[blocks.open, 12, 20], [blocks.mixed, 5, 40], [blocks.sold, 6, 60]] as const) {
    block.sales = block.units.slice(0, count).map(({ salt }, index) => ({ play: playOf(block.id, index, salt), at: start + from * minute + index * 1000 }));
  }
  blocks.pots.sales = blocks.open.sales.map((sale) => ({ ...sale }));
  return blocks;
}

function seal(block: Made, emission: number, position: number, more: JsonObject = {}): JsonObject {
  return {
    kind: "seal", block: block.id, format: 1, game: block.game, definition: definitionHash(block.definition), stake: 0, price: block.price, size: block.size,
    root: hex(root(block.units.map((unit, index) => leafOf(block.id, index, unit)))), commitment: commitmentOf(block.id, block.secret), emission, position, by: "ada", ...more,
  };
}

const salesRoot = (block: Made, sold: number): string => hex(root(block.sales.slice(0, sold).map((sale, index) => saleLeafOf(block.id, index, sale))));
const sales = (block: Made, sold: number): JsonObject => ({ kind: "sales", block: block.id, sold, root: salesRoot(block, sold) });
const withdrawal = (block: Made, sold: number): JsonObject => ({ kind: "withdrawal", block: block.id, sold, root: salesRoot(block, sold), by: "bea", why: "The game ends." });
const approval = (block: Made): JsonObject => ({ kind: "approval", block: block.id, by: "bea", why: "Checked against the order." });

/** The story of the blocks: minutes and entries. */
function story({ open, pots, mixed, sold }: Blocks): [number, JsonObject][] {
  const beacon = { key: invented("beacon"), round: 1000, scheme: "bls-unchained-g1-rfc9380" };
  const contributions = shares.map(({ party, share }) => ({ party, commitment: shareCommitmentOf(mixed.id, party, share) }));
  const told: [number, JsonObject][] = [
    [0, { kind: "definition", name: "lune", type: "game", definition: definitionHash(open.definition) }],
    [0, { kind: "definition", name: "petit-pot", type: "jackpot", definition: definitionHash(pots.definition) }],
    [1, { kind: "emission", emission: 1, game: "lune", stake: 0, blocks: 4 }],
    [1, { kind: "emission", emission: 2, game: "petit-pot", stake: 0, blocks: 2 }],
    [2, seal(open, 1, 0)],
    [2, seal(pots, 2, 0)],
    [3, { kind: "ceremony", block: mixed.id, emission: 1, position: 1, parties: shares.map(({ party }) => party), beacon }],
    ...contributions.map((made): [number, JsonObject] => [4, { kind: "contribution", block: mixed.id, ...made }]),
    [5, seal(mixed, 1, 1, { contributions, beacon })],
    [6, seal(sold, 1, 2)],
    [7, approval(open)], [7, approval(pots)], [8, approval(mixed)], [8, approval(sold)],
  ];
  // More emissions than a tile has hashes, so that full and partial tiles are read.
  for (let n = 0; n < 250; n++) told.push([9, { kind: "emission", emission: 100 + n, game: "lune", stake: 0, blocks: 1 }]);
  let since = 0;
  for (const count of [4, 8, 12]) {
    for (let index = count - 4; index < count; index++) {
      since++;
      if (pots.units[index]!.layout[0] !== 1) continue;
      const amount = Math.ceil((1_000_000 + since * 160) / 100) * 100;
      told.push([20, { kind: "jackpot-win", jackpot: "petit-pot", block: pots.id, index, amount, since }]);
      since = 0;
    }
    told.push([21, sales(open, count)], [21, sales(pots, count)]);
  }
  told.push([41, sales(mixed, 3)], [42, withdrawal(mixed, 5)], [50, withdrawal(pots, 12)], [61, sales(sold, 4)]);
  told.push([70, { kind: "opening", block: open.id, secret: open.secret }], [70, { kind: "opening", block: pots.id, secret: pots.secret }]);
  told.push([71, { kind: "opening", block: mixed.id, secret: mixed.secret, shares, signature }]);
  return told;
}

const keyName = "lottery.example/log";
const seed = unhex(invented("key of the operator"));

async function signer(bytes: Bytes): Promise<{ sign(message: Bytes): Promise<Bytes>; bytes: Bytes }> {
  const private8 = joined(unhex("302e020100300506032b657004220420"), bytes);
  const own = await crypto.subtle.importKey("pkcs8", private8, "Ed25519", true, ["sign"]);
  const { x } = await crypto.subtle.exportKey("jwk", own);
  const raw = Uint8Array.from(atob(x!.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  return { bytes: raw, sign: async (message) => new Uint8Array(await crypto.subtle.sign("Ed25519", own, message)) };
}

const keyText = (name: string, algorithm: number, raw: Bytes): string => {
  const data = joined(new Uint8Array([algorithm]), raw);
  return `${name}+${hex(hash(utf8(name + "\n"), data).slice(0, 4))}+${base64(data)}`;
};

/** Signs a text as a note, with the key of the tests, or another one. */
export async function signNote(message: string, name = keyName, from = seed): Promise<string> {
  const { sign, bytes } = await signer(from);
  const id = hash(utf8(name + "\n"), one, bytes).slice(0, 4);
  return `${message}\n\u2014 ${name} ${base64(joined(id, await sign(utf8(message))))}\n`;
}

export const operatorKey = async (): Promise<string> => keyText(keyName, 1, (await signer(seed)).bytes);

const witnessSeed = unhex(invented("key of a witness"));
export const witnessKey = async (): Promise<string> => keyText("witness.example", 4, (await signer(witnessSeed)).bytes);
/** Adds a cosignature of the witness to a note. */
export async function cosign(note: string): Promise<string> {
  const { sign, bytes } = await signer(witnessSeed);
  const message = note.slice(0, note.lastIndexOf("\n\n") + 1);
  const time = 1_767_225_600;
  const id = hash(utf8("witness.example\n"), new Uint8Array([4]), bytes).slice(0, 4);
  return `${note}\u2014 witness.example ${base64(joined(id, u64(time), await sign(utf8(`cosignature/v1\ntime ${time}\n${message}`))))}\n`;
}

export const checkpointText = (leaves: Uint8Array[]): string => `${keyName}\n${leaves.length}\n${base64(root(leaves))}\n`;

function tilesOf(leaves: Uint8Array[]): Uint8Array[][] {
  const levels: Uint8Array[][] = [];
  for (let level = leaves; level.length > 0;) {
    levels.push(level);
    level = Array.from({ length: Math.floor(level.length / 256) }, (_, n) => root(level.slice(256 * n, 256 * n + 256)));
  }
  return levels;
}

function tilePath(level: number | string, n: number, width: number): string {
  return `log/tile/${level}/${String(n).padStart(3, "0")}${width < 256 ? `.p/${width}` : ""}`; // below 1000 tiles
}

export async function publish(lune: string, change: Change = {}): Promise<Published> {
  const blocks = makeBlocks(lune);
  change.blocks?.(blocks);
  const entries: JsonObject[] = story(blocks).map(([minutes, entry]) => ({ version: 1, at: start + minutes * minute, ...entry }));
  change.entries?.(entries);
  const texts = entries.map((entry) => canonical(entry as Json));
  change.texts?.(texts);
  const leaves = texts.map((text) => hash(zero, utf8(text)));
  const files = new Map<string, Bytes>();
  const checkpoint = await signNote(checkpointText(leaves));
  files.set("log/checkpoint", utf8(checkpoint));
  for (let n = 0; 256 * n < texts.length; n++) {
    const bundle = texts.slice(256 * n, 256 * n + 256);
    files.set(tilePath("entries", n, bundle.length), joined(...bundle.flatMap((text) => [u32(utf8(text).length).slice(2), utf8(text)])));
  }
  tilesOf(leaves).forEach((hashes, level) => {
    for (let n = 0; 256 * n < hashes.length; n++) {
      const tile = hashes.slice(256 * n, 256 * n + 256);
      files.set(tilePath(level, n, tile.length), joined(...tile));
    }
  });
  for (const block of Object.values(blocks) as Made[]) {
    files.set(`definitions/${definitionHash(block.definition)}.json`, utf8(block.definition));
    files.set(`blocks/${block.id}.tiles`, joined(...tilesOf(block.units.map((unit, index) => leafOf(block.id, index, unit))).flat()));
    files.set(`sales/${block.id}.sales`, joined(...block.sales.flatMap(({ play, at }) => [play, u64(at)])));
  }
  change.files?.(files);
  return { files, blocks, entries, leaves, checkpoint, key: await operatorKey() };
}

function provenEntry(made: Published, index: number): { entry: string; index: number; path: string[] } {
  return { entry: canonical(made.entries[index] as Json), index, path: path(index, made.leaves) };
}

function partOf(made: Published, block: Made, index: number): JsonObject {
  const unit = block.units[index]!;
  const at = (kind: string, more: (entry: JsonObject) => boolean = () => true): number =>
    made.entries.findIndex((entry) => entry["kind"] === kind && entry["block"] === block.id && more(entry));
  const part: JsonObject = {
    index, prize: unit.prize, layout: hex(unit.layout), salt: hex(unit.salt), path: path(index, block.units.map((other, n) => leafOf(block.id, n, other))), seal: provenEntry(made, at("seal")),
  };
  const covers = at("sales", (entry) => (entry["sold"] as number) > index);
  if (covers >= 0) {
    const { entry, index: place, path: log } = provenEntry(made, covers);
    const sold = made.entries[covers]!["sold"] as number;
    part["sales"] = { path: path(index, block.sales.slice(0, sold).map((sale, n) => saleLeafOf(block.id, n, sale))), entry, index: place, log };
  }
  return part;
}

/** The receipt of a sale of a block; with the participation that was sold with it. */
export function receiptOf(made: Published, block: Made, index: number, pots?: Made): JsonObject {
  const sale = block.sales[index]!;
  const receipt: JsonObject = { format: "talon-receipt/1", play: hex(sale.play), at: sale.at, unit: partOf(made, block, index), checkpoint: made.checkpoint };
  if (pots === undefined) return receipt;
  receipt["participation"] = partOf(made, pots, index);
  const win = made.entries.findIndex((entry) => entry["kind"] === "jackpot-win" && entry["block"] === pots.id && entry["index"] === index);
  if (win >= 0) receipt["win"] = provenEntry(made, win);
  return receipt;
}

/** The link of a sale. */
export function linkOf(block: Made, index: number): string {
  const { prize, layout, salt } = block.units[index]!;
  const { play, at } = block.sales[index]!;
  return [hex(play), block.id, index, prize, hex(layout), hex(salt), at].join(".");
}
