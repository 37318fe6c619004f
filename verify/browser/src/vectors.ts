// The test vectors of block.md, section 13.

import { Aes256 } from "./aes.js";
import { hex, text, unhex, utf8 } from "./bytes.js";
import { Dealer } from "./deal.js";
import { readDefinition } from "./definition.js";
import { readEntry } from "./entries.js";
import type { Files } from "./files.js";
import { commitment, entryLeaf, mixed, playOf, saleLeaf, shareCommitment, unitData, unitLeaf } from "./hashes.js";
import { parse, type Json } from "./json.js";
import { readKey } from "./note.js";
import { verifyReceipt } from "./receipt.js";
import { bytesOf, sha256 } from "./sha256.js";
import { below, keyOf, shuffle, Stream } from "./stream.js";
import { GrowingTree, included } from "./tree.js";

interface UnitVector { index: number; tier: number; prize: string; layout: string; salt: string; leaf: string; play: string }
interface BlockVector { game: string; stake: number; block: string; secret: string; size: number; commitment: string; units?: UnitVector[]; root?: string; odds?: number }

/** How many vectors of a file were run, and which failed. */
export interface VectorReport { file: string; run: number; failures: string[] }

class Run {
  count = 0;
  readonly failures: string[] = [];
  is(what: string, got: unknown, want: unknown): void {
    this.count++;
    if (JSON.stringify(got) !== JSON.stringify(want)) this.failures.push(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(want)}`);
  }
}

/** "0.50" in ten-thousandths. */
function tenThousandths(written: string): number {
  const [units, decimals = ""] = written.split(".");
  return Number(units) * 10_000 + Number(decimals.padEnd(4, "0"));
}

function block(run: Run, vector: BlockVector, definition: Json): void {
  const id = unhex(vector.block);
  const what = `${vector.game} at stake ${vector.stake}`;
  run.is(`${what}: commitment`, hex(commitment(id, unhex(vector.secret))), vector.commitment);
  const read = readDefinition(definition, vector.stake);
  if (vector.odds !== undefined) read.odds = vector.odds;
  const dealer = new Dealer(read, id, unhex(vector.secret), vector.size);
  const leaf = new Int32Array(8);
  const tree = new GrowingTree();
  const whole = vector.root !== undefined;
  for (let index = 0; index < (whole ? vector.size : vector.units?.length ?? 0); index++) {
    const unit = dealer.deal(index, leaf, 0);
    if (whole) tree.add(leaf, 0);
    if (!unit.reads) run.is(`${what}: unit ${index} reads as its prize`, false, true);
    const wanted = vector.units?.[index];
    if (wanted === undefined) continue;
    const salt = bytesOf(new Int32Array([...unit.salt, 0, 0, 0, 0]), 0).subarray(0, 16);
    const got = { index, tier: unit.tier, prize: unit.prize, layout: hex(unit.layout), salt: hex(salt), leaf: hex(bytesOf(leaf, 0)), play: hex(playOf(id, index, salt)) };
    const { tier, prize, layout, salt: wantedSalt, leaf: wantedLeaf, play } = wanted;
    run.is(`${what}: unit ${index}`, got, { index, tier, prize: tenThousandths(prize), layout, salt: wantedSalt, leaf: wantedLeaf, play });
  }
  if (whole) run.is(`${what}: root`, hex(tree.root()), vector.root);
}

type Vectors = { vectors: BlockVector[] };

const runners: Record<string, (run: Run, file: never, definition: (name: string) => Promise<Json>) => Promise<void> | void> = {
  "entropy.json": (run, file: {
    keys: { secret: string; block: string; shuffle: string; layout: string; salt: string }[];
    streams: { key: string; start: string; words: number[] }[];
    salts: { key: string; index: number; salt: string }[];
    below: { words: number[]; below: number; number: number; taken: number }[];
  }) => {
    for (const { secret, block, ...keys } of file.keys) {
      for (const purpose of ["shuffle", "layout", "salt"] as const) run.is(`key ${purpose}`, hex(keyOf(unhex(secret), unhex(block), purpose)), keys[purpose]);
    }
    for (const { key, start, words } of file.streams) {
      const stream = new Stream(new Aes256(unhex(key))).start(Number(BigInt(start) & 0xffffffffn), Number(BigInt(start) >> 32n));
      run.is(`stream ${start}`, words.map(() => stream.next()), words);
    }
    for (const { key, index, salt } of file.salts) {
      const words = new Int32Array(8);
      new Aes256(unhex(key)).encrypt(0, 0, Math.floor(index / 2 ** 32), index, words);
      run.is(`salt ${index}`, hex(bytesOf(words, 0).subarray(0, 16)), salt);
    }
    for (const { words, below: n, number, taken } of file.below) {
      let at = 0;
      const got = below({ next: () => words[at++]! }, n);
      run.is(`below ${n}`, [got, at], [number, taken]);
    }
  },
  "shuffle.json": (run, file: { shuffles: { key: string; items: number; order?: number[]; first?: number[]; digest: string }[] }) => {
    for (const { key, items, order, first, digest } of file.shuffles) {
      const list = Int32Array.from({ length: items }, (_, item) => item);
      shuffle(list, new Stream(new Aes256(unhex(key))).start(0));
      const bytes = new Uint8Array(4 * items);
      list.forEach((item, at) => new DataView(bytes.buffer).setUint32(4 * at, item));
      run.is(`${items} items`, hex(sha256(bytes)), digest);
      if (order !== undefined) run.is(`order of ${items} items`, [...list], order);
      if (first !== undefined) run.is(`first of ${items} items`, [...list.subarray(0, first.length)], first);
    }
  },
  "units.json": async (run, file: Vectors, definition) => { for (const vector of file.vectors) block(run, vector, await definition(vector.game)); },
  "blocks.json": async (run, file: Vectors, definition) => { for (const vector of file.vectors) block(run, vector, await definition(vector.game)); },
  "roots.json": async (run, file: Vectors, definition) => { for (const vector of file.vectors) block(run, vector, await definition(vector.game)); },
  "leaves.json": (run, file: { vectors: {
    units: { comment: string; block: string; index: number; prize: string; layout: string; salt: string; data?: string; leaf: string; play?: string; failure?: string }[];
    sales: { block: string; index: number; play: string; at: number; leaf: string }[];
  } }) => {
    for (const unit of file.vectors.units) {
      const of = [unhex(unit.block), unit.index, tenThousandths(unit.prize), unhex(unit.layout), unhex(unit.salt)] as const;
      run.is(unit.comment, hex(unitLeaf(...of)) === unit.leaf, unit.failure === undefined);
      if (unit.data !== undefined) run.is(`${unit.comment}: data`, hex(unitData(...of)), unit.data);
      if (unit.play !== undefined) run.is(`${unit.comment}: play`, hex(playOf(of[0], of[1], of[4])), unit.play);
    }
    for (const sale of file.vectors.sales) run.is(`sale ${sale.index}`, hex(saleLeaf(unhex(sale.block), sale.index, unhex(sale.play), sale.at)), sale.leaf);
  },
  "contributions.json": (run, file: { vectors: { id: string; shares: { party: string; share: string; commitment: string }[]; signature?: string; randomness: string; secret: string }[] }) => {
    for (const { id, shares, signature, randomness, secret } of file.vectors) {
      const block = unhex(id);
      const given = shares.map(({ party, share }) => ({ party, share: unhex(share) }));
      run.is(`commitments of ${id}`, given.map(({ party, share }) => hex(shareCommitment(block, party, share))), shares.map(({ commitment: made }) => made));
      if (signature !== undefined) run.is(`randomness of ${id}`, hex(sha256(unhex(signature))), randomness);
      run.is(`secret of ${id}`, hex(mixed(block, given, unhex(randomness))), secret);
    }
  },
  "log.json": (run, file: { vectors: { entries: { name: string; entry: string; leaf: string }[]; refused: { name: string; entry: string }[] } }) => {
    for (const { name, entry, leaf } of file.vectors.entries) run.is(name, [readEntry(entry) !== undefined, hex(entryLeaf(utf8(entry)))], [true, leaf]);
    for (const { name, entry } of file.vectors.refused) run.is(name, readEntry(entry), undefined);
  },
  "receipts.json": async (run, file: { vectors: { key: string; receipts: { name: string; outcome: string; code?: string; receipt: string; witness?: string }[] } }) => {
    const key = readKey(file.vectors.key);
    for (const { name, outcome, code, receipt, witness } of file.vectors.receipts) {
      const verdict = await verifyReceipt(receipt, key, witness === undefined ? [] : [readKey(witness)]);
      run.is(name, [verdict.outcome, verdict.code ?? ""], [outcome, code ?? ""]);
    }
  },
  "trees.json": (run, file: { vectors: { size: number; root: string; proofs: { comment?: string; index: number; leaf: string; path: string[]; failure?: string }[] }[] }) => {
    for (const { size, root, proofs } of file.vectors) {
      const tree = new GrowingTree();
      const leaf = new Uint8Array(9);
      for (let index = 0; index < size; index++) {
        new DataView(leaf.buffer).setUint32(5, index);
        tree.addBytes(sha256(leaf));
      }
      run.is(`root of ${size}`, hex(tree.root()), root);
      for (const proof of proofs) {
        const got = included(unhex(proof.leaf), proof.index, size, proof.path.map(unhex), unhex(root));
        run.is(`${proof.comment ?? "proof"} ${proof.index} of ${size}`, got, proof.failure === undefined);
      }
    }
  },
};

/** Participations without a definition of their own: the vector gives their odds. */
const inventedPot: Json = { kind: "jackpot", name: "invented", block: { size: 1 }, price: 1, shares: { pot: 1 }, start: 1, one_in: 2 };

/** Runs the vectors of a folder; files that are not there are left out, and at least one must be. */
export async function runVectors(files: Files): Promise<VectorReport[]> {
  const reports: VectorReport[] = [];
  const json = async (path: string): Promise<unknown> => {
    const bytes = await files.read(path);
    return bytes === undefined ? undefined : JSON.parse(text(bytes) ?? "");
  };
  const definition = async (name: string): Promise<Json> => {
    const bytes = await files.read(`definitions/${name}.json`);
    return bytes === undefined ? inventedPot : parse(text(bytes) ?? "");
  };
  for (const [file, runner] of Object.entries(runners)) {
    const content = await json(file);
    if (content === undefined) continue;
    const run = new Run();
    try {
      await runner(run, content as never, definition);
    } catch (error) {
      run.failures.push(String(error));
    }
    reports.push({ file, run: run.count, failures: run.failures });
  }
  return reports;
}
