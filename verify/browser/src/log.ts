// The public log is read and checked: publication.md, section 2.

import { same } from "./bytes.js";
import { InputError, type Finding, type LogCode } from "./codes.js";
import { readEntryBytes, type Entry } from "./entries.js";
import { tilePath, type Files } from "./files.js";
import { entryLeaf } from "./hashes.js";
import { isNote, noteText, openCheckpoint, type Checkpoint, type Key } from "./note.js";
import { RuleBook } from "./rules.js";
import { rootOfBytes, subtreeOf, type Subtree } from "./tree.js";

/** How many entries a log may have that is read here. */
const entriesMost = 4_000_000;

/** One entry of the log: its bytes and leaf, and what it says, or undefined when that cannot be read. */
export interface Logged { source: Uint8Array<ArrayBuffer>; leaf: Uint8Array<ArrayBuffer>; entry: Entry | undefined }

export interface Log {
  checkpoint: Checkpoint | undefined;
  entries: Logged[];
  findings: Finding<LogCode>[];
}

export interface LogOptions {
  key: Key;
  witnesses?: Key[];
  /** An older checkpoint, as a signed note. */
  older?: string;
  progress?: (done: number, total: number) => void;
}

class Unreadable extends Error {
  constructor(readonly where: string, what: string) { super(what); }
}

/** Reads and checks the whole log. What is wrong is in the findings; entries are there as far as they could be read. */
export async function checkLog(files: Files, options: LogOptions): Promise<Log> {
  const log: Log = { checkpoint: undefined, entries: [], findings: [] };
  const find = (code: LogCode, where: string, what: string): void => { log.findings.push({ code, where, what }); };
  const note = await files.read("log/checkpoint");
  if (note === undefined) {
    find("log_unreadable", "log/checkpoint", "the file is missing");
    return log;
  }
  if (!isNote(noteText(note))) {
    find("log_unreadable", "log/checkpoint", "the file is no signed note");
    return log;
  }
  const checkpoint = await openCheckpoint(noteText(note), options.key, options.witnesses);
  if (typeof checkpoint === "string") {
    find(checkpoint, "log/checkpoint", said[checkpoint]);
    return log;
  }
  log.checkpoint = checkpoint;
  try {
    await readEntries(files, checkpoint.size, log.entries, options.progress);
    const leaves = log.entries.map(({ leaf }) => leaf);
    if (!same(rootOfBytes(leaves), checkpoint.root)) find("log_root_wrong", "log/checkpoint", "the entries do not give the root of the checkpoint");
    else await checkTiles(files, leaves, find);
    if (options.older !== undefined) await compareOlder(options.older, options, checkpoint, leaves, find);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    find("log_unreadable", error.where, error.message);
  }
  const rules = new RuleBook();
  log.entries.forEach(({ entry }, index) => log.findings.push(...rules.follow(entry, index)));
  return log;
}

const said = {
  checkpoint_signature_wrong: "the checkpoint is not signed by this key",
  cosignature_missing: "a witness that was asked for did not cosign the checkpoint",
};

/** The bytes of a tile of a width, taken from the full tile where only that one is kept. */
async function tile(files: Files, level: number | "entries", index: number, width: number): Promise<[Uint8Array<ArrayBuffer>, string]> {
  for (const path of [tilePath(level, index, width), tilePath(level, index, 256)]) {
    const bytes = await files.read(path);
    if (bytes !== undefined) return [bytes, path];
  }
  throw new Unreadable(tilePath(level, index, width), "the file is missing");
}

async function readEntries(files: Files, size: number, into: Logged[], progress?: (done: number, total: number) => void): Promise<void> {
  if (size > entriesMost) throw new InputError("too_large", `a log of more than ${entriesMost} entries is not read here`);
  for (let index = 0; into.length < size; index++) {
    const width = Math.min(256, size - into.length);
    const [bundle, path] = await tile(files, "entries", index, width);
    let at = 0;
    for (let k = 0; k < width; k++) {
      const length = bundle.length < at + 2 ? -1 : bundle[at]! << 8 | bundle[at + 1]!;
      if (length < 0 || bundle.length < at + 2 + length) throw new Unreadable(path, `the file ends within entry ${into.length}`);
      const source = bundle.slice(at + 2, at + 2 + length);
      into.push({ source, leaf: entryLeaf(source), entry: readEntryBytes(source) });
      at += 2 + length;
    }
    if (at < bundle.length && path === tilePath("entries", index, width)) throw new Unreadable(path, "something follows the last entry");
    progress?.(into.length, size);
  }
}

/** Compares the tiles of hashes, level by level, with the hashes that the entries give. */
async function checkTiles(files: Files, leaves: Uint8Array[], find: (code: LogCode, where: string, what: string) => void): Promise<void> {
  for (let level = 0, hashes = leaves; hashes.length > 0; level++) {
    const next: Uint8Array[] = [];
    for (let index = 0; index * 256 < hashes.length; index++) {
      const own = hashes.slice(index * 256, index * 256 + 256);
      const [bytes, path] = await tile(files, level, index, own.length);
      if (bytes.length % 32 !== 0 || bytes.length < 32 * own.length) throw new Unreadable(path, "the file is not as long as its hashes");
      if (!own.every((hash, k) => same(hash, bytes.subarray(32 * k, 32 * k + 32)))) find("log_root_wrong", path, "the tile does not hold the hashes that the entries give");
      if (own.length === 256) next.push(rootOfBytes(own));
    }
    hashes = next;
  }
}

async function compareOlder(older: string, options: LogOptions, checkpoint: Checkpoint, leaves: Uint8Array[], find: (code: LogCode, where: string, what: string) => void): Promise<void> {
  const before = await openCheckpoint(older, options.key);
  const where = "the older checkpoint";
  if (typeof before === "string") find(before, where, said[before]);
  else if (before.size === checkpoint.size) {
    if (!same(before.root, checkpoint.root)) find("split_view", where, `two roots over ${before.size} entries are signed`);
  } else if (before.size > checkpoint.size) find("log_rolled_back", where, `the log has ${checkpoint.size} entries, and had ${before.size}`);
  else if (!same(rootOfBytes(leaves.slice(0, before.size)), before.root)) find("log_rolled_back", where, `the first ${before.size} entries are not those that were signed`);
}

/** Subtrees of the log, to prove an entry from. */
export const logSubtree = (log: Log): Subtree => subtreeOf(log.entries.map(({ leaf }) => leaf));
