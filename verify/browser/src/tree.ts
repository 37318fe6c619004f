// Merkle trees of RFC 6962, section 2.1, and their proofs.

import { bytesOf, node, sha256, wordsOf } from "./sha256.js";
import { same } from "./bytes.js";

const one = new Uint8Array([1]);
const inner = (left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> => sha256(one, left, right);

/** The root of a tree without leaves. */
export const emptyRoot = (): Uint8Array<ArrayBuffer> => sha256();

/** Whether a leaf at an index leads to the root of a tree of a size by a path (RFC 9162, 2.1.3.2). */
export function included(leaf: Uint8Array, index: number, size: number, path: Uint8Array[], root: Uint8Array): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let fn = index;
  let sn = size - 1;
  let hash = leaf;
  for (const step of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      hash = inner(step, hash);
      while (fn % 2 === 0 && fn !== 0) {
        fn = Math.floor(fn / 2);
        sn = Math.floor(sn / 2);
      }
    } else hash = inner(hash, step);
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  }
  return sn === 0 && same(hash, root);
}

/** A tree that grows leaf by leaf, of which only the right edge is kept. */
export class GrowingTree {
  private count = 0;
  private readonly peaks = new Int32Array(8 * 56); // the roots of the full subtrees, largest first, as words
  private height = 0; // how many peaks there are

  get size(): number { return this.count; }

  /** Adds a leaf of eight words. */
  add(words: Int32Array, at: number): void {
    for (let k = 0; k < 8; k++) this.peaks[8 * this.height + k] = words[at + k]!;
    this.height++;
    for (let n = this.count; n % 2 === 1; n = Math.floor(n / 2)) {
      this.height--;
      node(this.peaks, 8 * (this.height - 1), 8 * this.height, this.peaks, 8 * (this.height - 1));
    }
    this.count++;
  }

  addBytes(leaf: Uint8Array): void { this.add(wordsOf(leaf), 0); }

  /** The root over the leaves so far. */
  root(): Uint8Array<ArrayBuffer> {
    if (this.height === 0) return emptyRoot();
    const edge = this.peaks.slice(0, 8 * this.height);
    for (let last = this.height - 1; last > 0; last--) node(edge, 8 * (last - 1), 8 * last, edge, 8 * (last - 1));
    return bytesOf(edge, 0);
  }
}

/**
 * Hashes the nodes of one level, as words, into those of the next, in place, and gives how many these are: a
 * last one without a neighbour goes up as it is.
 */
export function raise(words: Int32Array, count: number): number {
  const pairs = count >> 1;
  for (let at = 0; at < pairs; at++) node(words, 16 * at, 16 * at + 8, words, 8 * at);
  if (count % 2 === 1 && pairs > 0) words.copyWithin(8 * pairs, 16 * pairs, 16 * pairs + 8);
  return pairs + (count % 2);
}

/** The root over leaves as words, of which nothing is left afterwards. */
export function rootOf(words: Int32Array, count: number): Uint8Array<ArrayBuffer> {
  if (count === 0) return emptyRoot();
  for (let left = count; left > 1;) left = raise(words, left);
  return bytesOf(words, 0);
}

/** The root over leaves as bytes. */
export function rootOfBytes(leaves: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const tree = new GrowingTree();
  for (const leaf of leaves) tree.addBytes(leaf);
  return tree.root();
}

/** Gives the root over the leaves from one index to another. */
export type Subtree = (from: number, to: number) => Promise<Uint8Array>;

/** The audit path of a leaf (RFC 6962, 2.1.1), the hash next to the leaf first, out of subtrees. */
export async function auditPath(index: number, from: number, to: number, subtree: Subtree): Promise<Uint8Array[]> {
  if (to - from <= 1) return [];
  const middle = from + largestPowerBelow(to - from);
  if (index < middle) return [...await auditPath(index, from, middle, subtree), await subtree(middle, to)];
  return [...await auditPath(index, middle, to, subtree), await subtree(from, middle)];
}

/** The largest power of two below n, for n above 1. */
export function largestPowerBelow(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}

/** Subtrees of leaves that are all at hand. */
export const subtreeOf = (leaves: Uint8Array[]): Subtree => async (from, to) => rootOfBytes(leaves.slice(from, to));
