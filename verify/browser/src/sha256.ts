// SHA-256 (FIPS 180-4), for millions of short messages: WebCrypto costs too much a call. Digests are kept
// as eight words, so that a tree is hashed without a byte being moved. Nothing here is safe for use from
// within itself; all is synchronous.

const constants = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

const initial = new Int32Array([0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]);
const state = new Int32Array(8);
const w = new Int32Array(64); // the schedule; the caller fills its first sixteen words

/** Extends the schedule from its first sixteen words and adds the constants of the rounds. */
function extend(): void {
  for (let t = 16; t < 64; t++) {
    const a = w[t - 15]!;
    const b = w[t - 2]!;
    w[t] = (w[t - 16]! + w[t - 7]! + ((a >>> 7 | a << 25) ^ (a >>> 18 | a << 14) ^ a >>> 3) + ((b >>> 17 | b << 15) ^ (b >>> 19 | b << 13) ^ b >>> 10)) | 0;
  }
  for (let t = 0; t < 64; t++) w[t] = (w[t]! + constants[t]!) | 0;
}

/** One compression with a schedule that has the constants added, read from a place on. */
function rounds(schedule: Int32Array, from: number): void {
  let a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!;
  let e = state[4]!, f = state[5]!, g = state[6]!, h = state[7]!;
  for (let t = 0; t < 64; t++) {
    const x = (h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (g ^ e & (f ^ g)) + schedule[from + t]!) | 0;
    const y = (((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b | c & (a | b))) | 0;
    h = g; g = f; f = e; e = (d + x) | 0;
    d = c; c = b; b = a; a = (x + y) | 0;
  }
  state[0] = (state[0]! + a) | 0;
  state[1] = (state[1]! + b) | 0;
  state[2] = (state[2]! + c) | 0;
  state[3] = (state[3]! + d) | 0;
  state[4] = (state[4]! + e) | 0;
  state[5] = (state[5]! + f) | 0;
  state[6] = (state[6]! + g) | 0;
  state[7] = (state[7]! + h) | 0;
}

function give(out: Int32Array, at: number): void {
  for (let k = 0; k < 8; k++) out[at + k] = state[k]!;
}

/** A message of a fixed length that is hashed again and again with some of its bytes changed. */
export class Message {
  /** The bytes of the message; what lies behind them is its padding. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
  private readonly padded: number;

  constructor(start: Uint8Array, length = start.length) {
    this.padded = Math.ceil((length + 9) / 64) * 64;
    const all = new Uint8Array(this.padded);
    all.set(start);
    all[length] = 0x80;
    this.view = new DataView(all.buffer);
    this.view.setUint32(this.padded - 8, Math.floor(length / 2 ** 29));
    this.view.setUint32(this.padded - 4, (length * 8) % 2 ** 32);
    this.bytes = all.subarray(0, length);
  }

  /** Writes the digest as eight words. */
  hash(out: Int32Array, at: number): void {
    state.set(initial);
    for (let block = 0; block < this.padded; block += 64) {
      for (let t = 0; t < 16; t++) w[t] = this.view.getInt32(block + 4 * t);
      extend();
      rounds(w, 0);
    }
    give(out, at);
  }
}

// The second block of an inner node (0x01, left, right: 65 bytes) has one byte of its own, so there are 256
// schedules of it, made once.
let lastBlocks: Int32Array | undefined;

function schedulesOfLastBlocks(): Int32Array {
  const all = new Int32Array(256 * 64);
  for (let byte = 0; byte < 256; byte++) {
    w.fill(0, 0, 16);
    w[0] = byte << 24 | 0x80 << 16;
    w[15] = 65 * 8;
    extend();
    all.set(w, 64 * byte);
  }
  return all;
}

/** The hash of an inner node of a tree (RFC 6962, 2.1), over digests as words; out may be where they are. */
export function node(source: Int32Array, left: number, right: number, out: Int32Array, at: number): void {
  lastBlocks ??= schedulesOfLastBlocks();
  state.set(initial);
  let before = 0x01;
  for (let t = 0; t < 8; t++) {
    const word = source[left + t]!;
    w[t] = before << 24 | word >>> 8;
    before = word;
  }
  for (let t = 0; t < 8; t++) {
    const word = source[right + t]!;
    w[8 + t] = before << 24 | word >>> 8;
    before = word;
  }
  const last = before & 0xff;
  extend();
  rounds(w, 0);
  rounds(lastBlocks, 64 * last);
  give(out, at);
}

const once = new Int32Array(8);

/** The SHA-256 of bytes. */
export function sha256(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const message = new Message(new Uint8Array(0), length);
  let at = 0;
  for (const part of parts) {
    message.bytes.set(part, at);
    at += part.length;
  }
  message.hash(once, 0);
  return bytesOf(once, 0);
}

/** A digest of eight words as bytes. */
export function bytesOf(words: Int32Array, at: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < 8; k++) view.setInt32(4 * k, words[at + k]!);
  return bytes;
}

/** Digests as bytes, one behind the other, as words. */
export function wordsOf(bytes: Uint8Array): Int32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = new Int32Array(bytes.byteLength >> 2);
  for (let k = 0; k < words.length; k++) words[k] = view.getInt32(4 * k);
  return words;
}

/** HMAC with SHA-256 (RFC 2104), for keys of at most 64 bytes. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const inner = new Uint8Array(64).fill(0x36);
  const outer = new Uint8Array(64).fill(0x5c);
  key.forEach((byte, at) => {
    inner[at]! ^= byte;
    outer[at]! ^= byte;
  });
  return sha256(outer, sha256(inner, message));
}

/** HKDF with SHA-256 (RFC 5869), for 32 bytes. */
export const hkdf = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array): Uint8Array<ArrayBuffer> =>
  hmac(hmac(salt, secret), new Uint8Array([...info, 1]));
