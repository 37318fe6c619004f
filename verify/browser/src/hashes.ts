// What is hashed, byte for byte: block.md, sections 1, 2, 8, 10 and 12.

import { joined, u32, u64, utf8 } from "./bytes.js";
import { Message, sha256 } from "./sha256.js";

const tag = (name: string): Uint8Array<ArrayBuffer> => joined(new Uint8Array([name.length]), utf8(name));
const variable = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => joined(u32(bytes.length), bytes);

const zero = new Uint8Array([0]);

/** The leaf of a log's entry. */
export const entryLeaf = (entry: Uint8Array): Uint8Array<ArrayBuffer> => sha256(zero, entry);

export const definitionHash = (canonical: Uint8Array): Uint8Array<ArrayBuffer> => sha256(tag("talon/definition/v1"), variable(canonical));

export const commitment = (block: Uint8Array, secret: Uint8Array): Uint8Array<ArrayBuffer> =>
  sha256(tag("talon/secret-commitment/v1"), variable(block), variable(secret));

export const shareCommitment = (block: Uint8Array, party: string, share: Uint8Array): Uint8Array<ArrayBuffer> =>
  sha256(tag("talon/contribution/v1"), variable(block), variable(utf8(party)), variable(share));

/** The secret mixed from shares, in the order of the parties, and from a beacon's randomness, which may be empty. */
export const mixed = (block: Uint8Array, shares: { party: string; share: Uint8Array }[], beacon: Uint8Array): Uint8Array<ArrayBuffer> =>
  sha256(tag("talon/secret-mix/v1"), variable(block), ...shares.flatMap(({ party, share }) => [variable(utf8(party)), variable(share)]), variable(beacon));

/** data(i), what the leaf of a unit is of. */
export const unitData = (block: Uint8Array, index: number, prize: number, layout: Uint8Array, salt: Uint8Array): Uint8Array<ArrayBuffer> =>
  joined(tag("talon/unit/v1"), block, u64(index), u64(prize), variable(layout), salt);

export const unitLeaf = (block: Uint8Array, index: number, prize: number, layout: Uint8Array, salt: Uint8Array): Uint8Array<ArrayBuffer> =>
  sha256(zero, unitData(block, index, prize, layout, salt));

export const playOf = (block: Uint8Array, index: number, salt: Uint8Array): Uint8Array<ArrayBuffer> =>
  sha256(tag("talon/play/v1"), block, u64(index), salt).slice(0, 16);

export const saleLeaf = (block: Uint8Array, index: number, play: Uint8Array, at: number): Uint8Array<ArrayBuffer> =>
  sha256(zero, tag("talon/sale/v1"), block, u64(index), play, u64(at));

/** Hashes the leaves of one block, unit after unit. */
export class UnitLeaves {
  private readonly message: Message;
  private readonly indexAt: number;
  private readonly layoutLength: number;

  constructor(block: Uint8Array, layoutLength: number) {
    const head = joined(zero, tag("talon/unit/v1"), block);
    this.indexAt = head.length;
    this.layoutLength = layoutLength;
    this.message = new Message(head, head.length + 8 + 8 + 4 + layoutLength + 16);
    this.message.view.setUint32(this.indexAt + 16, layoutLength);
  }

  hash(index: number, prize: number, layout: Uint8Array, salt: Int32Array, out: Int32Array, at: number): void {
    const { view, bytes } = this.message;
    const from = this.indexAt;
    view.setUint32(from + 4, index);
    view.setUint32(from + 8, Math.floor(prize / 2 ** 32));
    view.setUint32(from + 12, prize % 2 ** 32);
    for (let cell = 0; cell < this.layoutLength; cell++) bytes[from + 20 + cell] = layout[cell]!;
    const saltAt = from + 20 + this.layoutLength;
    for (let word = 0; word < 4; word++) view.setInt32(saltAt + 4 * word, salt[word]!);
    this.message.hash(out, at);
  }
}

/** Hashes the play identifiers of one block: their 16 bytes are the first four words. */
export class Plays {
  private readonly message: Message;
  private readonly indexAt: number;

  constructor(block: Uint8Array) {
    const head = joined(tag("talon/play/v1"), block);
    this.indexAt = head.length;
    this.message = new Message(head, head.length + 8 + 16);
  }

  hash(index: number, salt: Int32Array, saltAt: number, out: Int32Array): void {
    this.message.view.setUint32(this.indexAt + 4, index);
    for (let word = 0; word < 4; word++) this.message.view.setInt32(this.indexAt + 8 + 4 * word, salt[saltAt + word]!);
    this.message.hash(out, 0);
  }
}

/** Hashes the leaves of the sales of one block, from the 24 bytes of each. */
export class SaleLeaves {
  private readonly message: Message;
  private readonly indexAt: number;

  constructor(block: Uint8Array) {
    const head = joined(zero, tag("talon/sale/v1"), block);
    this.indexAt = head.length;
    this.message = new Message(head, head.length + 8 + 24);
  }

  hash(index: number, sales: Uint8Array, at: number, out: Int32Array): void {
    this.message.view.setUint32(this.indexAt + 4, index);
    const { bytes } = this.message;
    for (let byte = 0; byte < 24; byte++) bytes[this.indexAt + 8 + byte] = sales[at + byte]!;
    this.message.hash(out, 0);
  }
}
