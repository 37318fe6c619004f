// Bytes and their texts. Nothing here knows what it carries.

const encoder = new TextEncoder();

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** The text of bytes in UTF-8, or undefined when they are none. A byte order mark stays, for it is a character like another. */
export function text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The lower-case hexadecimal of bytes. */
export function hex(bytes: Uint8Array): string {
  let written = "";
  for (const byte of bytes) written += (byte < 16 ? "0" : "") + byte.toString(16);
  return written;
}

const lowerHex = /^(?:[0-9a-f]{2})*$/;

/** Whether a text is lower-case hexadecimal, of so many bytes when a number is given. */
export const isHex = (written: string, bytes?: number): boolean =>
  lowerHex.test(written) && (bytes === undefined || written.length === 2 * bytes);

/** The bytes of lower-case hexadecimal. The caller has asked isHex. */
export function unhex(written: string): Uint8Array<ArrayBuffer> {
  if (!isHex(written)) throw new RangeError("not lower-case hexadecimal");
  const bytes = new Uint8Array(written.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(written.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

export function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function same(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** u32(x) of block.md: four bytes, most significant first. */
export function u32(x: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, x);
  return bytes;
}

/** u64(x) of block.md, for x from 0 to 2^53 - 1: eight bytes, most significant first. */
export function u64(x: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(x / 2 ** 32));
  view.setUint32(4, x % 2 ** 32);
  return bytes;
}

/** Standard base64 with padding, strictly: undefined when another text of it would have been written. */
export function unbase64(written: string): Uint8Array<ArrayBuffer> | undefined {
  if (written.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(written)) return undefined;
  let binary: string;
  try {
    binary = atob(written);
  } catch {
    return undefined;
  }
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return base64(bytes) === written ? bytes : undefined;
}

export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
