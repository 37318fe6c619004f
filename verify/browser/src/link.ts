// The link of a receipt's QR code, and how the published files complete it to a receipt: receipt.md.

import { hex, isHex, unhex } from "./bytes.js";
import { InputError } from "./codes.js";
import type { SalesEntry, SealEntry } from "./entries.js";
import { salesPath, tilesPath, type Files } from "./files.js";
import { SaleLeaves } from "./hashes.js";
import { checkLog, logSubtree, type Log, type LogOptions } from "./log.js";
import type { Part, Proven, Receipt } from "./receipt.js";
import { auditPath, GrowingTree, rootOfBytes, type Subtree } from "./tree.js";

/** What a link says: PLAY.BLOCK.INDEX.PRIZE.LAYOUT.SALT.AT. */
export interface Link { play: string; block: string; index: number; prize: number; layout: string; salt: string; at: number }

/** Reads a link, whole or only what follows its #, or gives undefined. */
export function readLink(written: string): Link | undefined {
  const parts = /^(?:\S*#)?([0-9a-f]{32})\.([0-9a-f]{32})\.([0-9]{1,16})\.([0-9]{1,16})\.([0-9a-f]*)\.([0-9a-f]{32})\.([0-9]{1,16})$/.exec(written.trim());
  if (parts === null || !isHex(parts[5]!)) return undefined;
  const numbers = [parts[3]!, parts[4]!, parts[7]!].map(Number);
  if (!numbers.every(Number.isSafeInteger)) return undefined;
  return { play: parts[1]!, block: parts[2]!, index: numbers[0]!, prize: numbers[1]!, layout: parts[5]!, salt: parts[6]!, at: numbers[2]! };
}

/**
 * Completes a link from the published files. What comes out is still to be verified: nothing here is trusted but
 * the way to find it. It throws an InputError when the files do not say enough.
 */
export async function completeLink(link: Link, files: Files, options: LogOptions): Promise<Receipt> {
  const log = await checkLog(files, options);
  const missing = (what: string): never => { throw new InputError("play_not_published", what); };
  if (log.checkpoint === undefined || log.entries.length < log.checkpoint.size) return missing("the published log cannot be read, or is not signed by this key");
  const sealAt = log.entries.findIndex(({ entry }) => entry?.kind === "seal" && entry.block === link.block);
  if (sealAt < 0) return missing("the published log has no seal of this block");
  const seal = log.entries[sealAt]!.entry as SealEntry;
  if (link.index >= seal.size) return missing("the block has no such unit");
  const part: Part = {
    index: link.index, prize: link.prize, layout: link.layout, salt: link.salt,
    path: (await auditPath(link.index, 0, seal.size, tilesSubtree(files, link.block, seal.size))).map(hex),
    seal: await proven(log, sealAt),
  };
  const salesAt = log.entries.findIndex(({ entry }) => entry?.kind === "sales" && entry.block === link.block && entry.sold > link.index);
  if (salesAt >= 0) {
    const { entry, index, path } = await proven(log, salesAt);
    part.sales = { path: await salePath(files, link, (log.entries[salesAt]!.entry as SalesEntry).sold), entry, index, log: path };
  }
  return { format: "talon-receipt/1", play: link.play, at: link.at, unit: part, checkpoint: log.checkpoint.note };
}

async function proven(log: Log, index: number): Promise<Proven> {
  const path = await auditPath(index, 0, log.entries.length, logSubtree(log));
  return { entry: new TextDecoder().decode(log.entries[index]!.source), index, path: path.map(hex) };
}

/** Subtrees of a block, from the parts of its tiles that are needed: at most 255 hashes each. */
function tilesSubtree(files: Files, block: string, size: number): Subtree {
  const subtree: Subtree = async (from, to) => {
    const leaves = to - from;
    let level = 0;
    let begins = 0; // of the level, in hashes
    let step = 1; // leaves below a hash of the level
    while (step * 256 <= leaves && leaves % (step * 256) === 0 && from % (step * 256) === 0) {
      begins += Math.floor(size / step);
      step *= 256;
      level++;
    }
    const power = leaves / step;
    if (power > 256 || (power & (power - 1)) !== 0) {
      let left = 1;
      while (left * 2 < leaves) left *= 2;
      const [a, b] = [await subtree(from, from + left), await subtree(from + left, to)];
      return rootOfBytes([a, b]);
    }
    const bytes = await files.part(tilesPath(block), 32 * (begins + from / step), 32 * power);
    if (bytes?.length !== 32 * power) throw new InputError("play_not_published", `the published hashes of the block are missing or too short (level ${level})`);
    return rootOfBytes(Array.from({ length: power }, (_, k) => bytes.slice(32 * k, 32 * k + 32)));
  };
  return subtree;
}

async function salePath(files: Files, link: Link, sold: number): Promise<string[]> {
  const bytes = await files.part(salesPath(link.block), 0, 24 * sold);
  if (bytes?.length !== 24 * sold) throw new InputError("play_not_published", "the published sales of the block are missing or too short");
  const leaves = new SaleLeaves(unhex(link.block));
  const leaf = new Int32Array(8);
  const subtree: Subtree = async (from, to) => {
    const tree = new GrowingTree();
    for (let index = from; index < to; index++) {
      leaves.hash(index, bytes, 24 * index, leaf);
      tree.add(leaf, 0);
    }
    return tree.root();
  };
  return (await auditPath(link.index, 0, sold, subtree)).map(hex);
}
