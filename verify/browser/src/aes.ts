// AES-256 (FIPS 197), encryption of single blocks. The streams of units begin at another counter each, so
// WebCrypto would cost a call a unit. Secrets of opened blocks are public: no care is taken of timing.

const box = new Uint8Array(256);
const t0 = new Int32Array(256), t1 = new Int32Array(256), t2 = new Int32Array(256), t3 = new Int32Array(256);

/** The S-box and the tables of a round, from the field of FIPS 197, 4.2. */
(function fill(): void {
  const double = (x: number): number => (x << 1) ^ (x >> 7) * 0x11b;
  let p = 1, q = 1; // p runs through all bytes but 0, q is its inverse
  do {
    p = p ^ double(p);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 0xff;
    if (q & 0x80) q ^= 0x09;
    const turned = q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4);
    box[p] = (turned & 0xff) ^ 0x63;
  } while (p !== 1);
  box[0] = 0x63;
  for (let x = 0; x < 256; x++) {
    const s = box[x]!;
    const s2 = double(s) & 0xff;
    const column = s2 << 24 | s << 16 | s << 8 | (s2 ^ s);
    t0[x] = column;
    t1[x] = column >>> 8 | column << 24;
    t2[x] = column >>> 16 | column << 16;
    t3[x] = column >>> 24 | column << 8;
  }
})();

const substituted = (x: number): number =>
  box[x >>> 24]! << 24 | box[x >>> 16 & 0xff]! << 16 | box[x >>> 8 & 0xff]! << 8 | box[x & 0xff]!;

export class Aes256 {
  private readonly keys = new Int32Array(60);

  constructor(key: Uint8Array) {
    if (key.length !== 32) throw new RangeError("an AES-256 key has 32 bytes");
    const view = new DataView(key.buffer, key.byteOffset, 32);
    const k = this.keys;
    for (let t = 0; t < 8; t++) k[t] = view.getInt32(4 * t);
    for (let t = 8, constant = 1; t < 60; t++) {
      let x = k[t - 1]!;
      if (t % 8 === 0) {
        x = substituted(x << 8 | x >>> 24) ^ constant << 24;
        constant <<= 1;
      } else if (t % 8 === 4) x = substituted(x);
      k[t] = k[t - 8]! ^ x;
    }
  }

  /** Encrypts one block of four words. */
  encrypt(w0: number, w1: number, w2: number, w3: number, out: Int32Array): void {
    const k = this.keys;
    let a = w0 ^ k[0]!, b = w1 ^ k[1]!, c = w2 ^ k[2]!, d = w3 ^ k[3]!;
    for (let t = 4; t < 56; t += 4) {
      const x = t0[a >>> 24]! ^ t1[b >>> 16 & 0xff]! ^ t2[c >>> 8 & 0xff]! ^ t3[d & 0xff]! ^ k[t]!;
      const y = t0[b >>> 24]! ^ t1[c >>> 16 & 0xff]! ^ t2[d >>> 8 & 0xff]! ^ t3[a & 0xff]! ^ k[t + 1]!;
      const z = t0[c >>> 24]! ^ t1[d >>> 16 & 0xff]! ^ t2[a >>> 8 & 0xff]! ^ t3[b & 0xff]! ^ k[t + 2]!;
      d = t0[d >>> 24]! ^ t1[a >>> 16 & 0xff]! ^ t2[b >>> 8 & 0xff]! ^ t3[c & 0xff]! ^ k[t + 3]!;
      a = x; b = y; c = z;
    }
    out[0] = (box[a >>> 24]! << 24 | box[b >>> 16 & 0xff]! << 16 | box[c >>> 8 & 0xff]! << 8 | box[d & 0xff]!) ^ k[56]!;
    out[1] = (box[b >>> 24]! << 24 | box[c >>> 16 & 0xff]! << 16 | box[d >>> 8 & 0xff]! << 8 | box[a & 0xff]!) ^ k[57]!;
    out[2] = (box[c >>> 24]! << 24 | box[d >>> 16 & 0xff]! << 16 | box[a >>> 8 & 0xff]! << 8 | box[b & 0xff]!) ^ k[58]!;
    out[3] = (box[d >>> 24]! << 24 | box[a >>> 16 & 0xff]! << 16 | box[b >>> 8 & 0xff]! << 8 | box[c & 0xff]!) ^ k[59]!;
  }
}
