// A whole block of Pièce d'or, a million units sold out, with TALON_LONG=1: nothing is wrong with it, and how long
// it takes is printed. TALON_LARGE names a folder to which the publication is written, for the page.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import test from "node:test";

import { Aes256 } from "../src/aes.js";
import { checkBlock } from "../src/audit.js";
import { hex, u32, u64, unhex, utf8, joined } from "../src/bytes.js";
import { Dealer } from "../src/deal.js";
import { readDefinition } from "../src/definition.js";
import { filesOf } from "../src/files.js";
import { Plays, SaleLeaves } from "../src/hashes.js";
import { canonical, parse, type JsonObject } from "../src/json.js";
import { checkLog } from "../src/log.js";
import { readKey } from "../src/note.js";
import { bytesOf } from "../src/sha256.js";
import { keyOf } from "../src/stream.js";
import { GrowingTree, raise } from "../src/tree.js";
import { inRepository } from "./folder.js";
import { checkpointText, commitmentOf, definitionHash, hash, invented, operatorKey, root, signNote, start } from "./publication.js";

const long = process.env["TALON_LONG"] === "1";
const bytesOfWords = (words: Int32Array, count: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(32 * count);
  for (let at = 0; at < count; at++) bytes.set(bytesOf(words, 8 * at), 32 * at);
  return bytes;
};

async function large(): Promise<{ files: Map<string, Uint8Array<ArrayBuffer>>; id: string }> {
  const definition = new TextDecoder().decode(await readFile(inRepository("testdata", "vectors", "definitions", "piece-dor.json"))).trim();
  const read = readDefinition(parse(definition), 0);
  const { size } = read;
  const id = invented("large").slice(0, 32);
  const secret = invented("large secret");
  const dealer = new Dealer(read, unhex(id), unhex(secret), size);
  const leaves = new Int32Array(8 * size);
  const [plays, saleLeaves, salts] = [new Plays(unhex(id)), new SaleLeaves(unhex(id)), new Aes256(keyOf(unhex(secret), unhex(id), "salt"))];
  const [play, leaf, salt] = [new Int32Array(8), new Int32Array(8), new Int32Array(4)];
  const sales = new Uint8Array(24 * size);
  const tree = new GrowingTree();
  for (let index = 0; index < size; index++) {
    dealer.deal(index, leaves, 8 * index);
    salts.encrypt(0, 0, 0, index, salt);
    plays.hash(index, salt, 0, play);
    sales.set(joined(bytesOf(play, 0).subarray(0, 16), u64(start + 35 * 60_000)), 24 * index);
    saleLeaves.hash(index, sales, 24 * index, leaf);
    tree.add(leaf, 0);
  }
  const tiles = [bytesOfWords(leaves, size)];
  let count = size;
  for (let height = 1, full = size; count > 1; height++) {
    count = raise(leaves, count);
    if (height % 8 === 0) tiles.push(bytesOfWords(leaves, full = Math.floor(full / 256)));
  }
  const entries: JsonObject[] = [
    { kind: "definition", name: read.name, type: "game", definition: definitionHash(definition) },
    { kind: "emission", emission: 1, game: read.name, stake: 0, blocks: 1 },
    { kind: "seal", block: id, format: 1, game: read.name, definition: definitionHash(definition), stake: 0, price: read.price, size, root: hex(bytesOf(leaves, 0)), commitment: commitmentOf(id, secret), emission: 1, position: 0, by: "ada" },
    { kind: "approval", block: id, by: "bea", why: "Checked." },
    { kind: "sales", block: id, sold: size, root: hex(tree.root()) },
    { kind: "opening", block: id, secret },
  ];
  const texts = entries.map((entry, at) => utf8(canonical({ version: 1, at: start + at * 600_000, ...entry })));
  const logLeaves = texts.map((text) => hash(new Uint8Array(1), text));
  const files = new Map<string, Uint8Array<ArrayBuffer>>([
    ["log/checkpoint", utf8(await signNote(checkpointText(logLeaves)))],
    [`log/tile/entries/000.p/${texts.length}`, joined(...texts.flatMap((text) => [u32(text.length).slice(2), text]))],
    [`log/tile/0/000.p/${texts.length}`, joined(...logLeaves)],
    [`definitions/${definitionHash(definition)}.json`, utf8(definition)],
    [`blocks/${id}.tiles`, joined(...tiles)],
    [`sales/${id}.sales`, sales],
  ]);
  assert.equal(hex(root(logLeaves)).length, 64);
  return { files, id };
}

test("a million units, sold out", async () => {
  if (!long) return;
  const { files, id } = await large();
  const folder = process.env["TALON_LARGE"];
  if (folder !== undefined) {
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
  }
  const begun = performance.now();
  const log = await checkLog(filesOf(files), { key: readKey(await operatorKey()) });
  const report = await checkBlock(filesOf(files), log, id);
  assert.deepEqual([...log.findings, ...report.findings], []);
  assert.deepEqual([report.sold, report.prizes_sold], [1_000_000, 350_000 * 10_000]);
  process.stdout.write(`# a million units, sold out: ${Math.round(performance.now() - begun)} ms (${id})\n`);
});
