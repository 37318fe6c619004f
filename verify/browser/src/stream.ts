// Keys, streams, unbiased numbers, the shuffle and salts: block.md, sections 3 to 6.

import { Aes256 } from "./aes.js";
import { utf8 } from "./bytes.js";
import { hkdf } from "./sha256.js";

/** The key of a purpose, from the secret and the identifier of a block. */
export const keyOf = (secret: Uint8Array, block: Uint8Array, purpose: "shuffle" | "layout" | "salt"): Uint8Array<ArrayBuffer> =>
  hkdf(secret, block, utf8(`talon/${purpose}/v1`));

/** Numbers from 0 to 2^32 - 1, one after another. */
export interface Numbers { next(): number }

/** Below(n): a number from 0 to n - 1, all as likely. */
export function below(numbers: Numbers, n: number): number {
  if (!(n >= 1 && n <= 0xffffffff)) throw new RangeError(`numbers below ${n} are not defined`);
  const most = 0xffffffff - ((0xffffffff % (n >>> 0)) + 1) % (n >>> 0); // 2^32 - 1 - (2^32 mod n)
  for (;;) {
    const x = numbers.next();
    if (x <= most) return (x >>> 0) % (n >>> 0);
  }
}

/** stream(key, s): the keystream of AES-256 in counter mode whose first counter block is u64(s), u64(0). */
export class Stream implements Numbers {
  private readonly words = new Int32Array(4);
  private taken = 4;
  private high = 0;
  private low = 0;
  private counter = 0;

  constructor(private readonly cipher: Aes256) {}

  /** Goes to the beginning of stream s, given in its high and its low 32 bits. */
  start(low: number, high = 0): this {
    this.low = low | 0;
    this.high = high | 0;
    this.counter = 0;
    this.taken = 4;
    return this;
  }

  next(): number {
    if (this.taken === 4) {
      // A counter of 2^32 blocks is beyond every limit of a block.
      this.cipher.encrypt(this.high, this.low, 0, this.counter++, this.words);
      this.taken = 0;
    }
    return this.words[this.taken++]! >>> 0;
  }
}

/** Exchanges the entries of a list as section 5 says. */
export function shuffle(list: Int16Array | Int32Array, numbers: Numbers): void {
  for (let i = list.length - 1; i >= 1; i--) {
    const j = below(numbers, i + 1);
    const kept = list[i]!;
    list[i] = list[j]!;
    list[j] = kept;
  }
}
