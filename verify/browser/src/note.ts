// Signed notes and checkpoints: log.md, section 3 (C2SP signed-note, tlog-checkpoint, tlog-cosignature).

import { hex, same, text, unbase64, utf8 } from "./bytes.js";
import { InputError } from "./codes.js";
import { sha256 } from "./sha256.js";

/** A public key with its name. */
export interface Key { name: string; hash: Uint8Array; algorithm: number; bytes: Uint8Array<ArrayBuffer> }

export interface Checkpoint { origin: string; size: number; root: Uint8Array; note: string }

const noteBytesMost = 65_536;
const signaturesMost = 100;
const operator = 1; // algorithm bytes
const witness = 4;

const named = (name: string): boolean => name !== "" && !/[+\s\u0085]/u.test(name);

/** Reads the text NAME+HASH+KEY of a public key. It throws an InputError. */
export function readKey(written: string): Key {
  const parts = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(written.trim());
  const data = parts === null ? undefined : unbase64(parts[3]!);
  const name = parts?.[1] ?? "";
  if (parts === null || data === undefined || data.length !== 33 || !named(name)) {
    throw new InputError("key_malformed", "this is not the text of a public key: NAME+HASH+KEY");
  }
  const hash = sha256(utf8(name + "\n"), data).slice(0, 4);
  if (hex(hash) !== parts[2] || (data[0] !== operator && data[0] !== witness)) throw new InputError("key_malformed", "the hash of this public key is not that of its name and bytes");
  return { name, hash, algorithm: data[0], bytes: data.slice(1) };
}

/** Whether this platform verifies Ed25519 signatures. */
export async function hasEd25519(): Promise<boolean> {
  try {
    await crypto.subtle.importKey("raw", unbase64("11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")!, "Ed25519", false, ["verify"]);
    return true;
  } catch {
    return false;
  }
}

async function signed(key: Key, signature: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>): Promise<boolean> {
  if (globalThis.crypto?.subtle === undefined || !await hasEd25519()) {
    throw new InputError("ed25519_missing", "Ed25519 signatures cannot be verified here: another browser, or a secure (https) page, is needed");
  }
  try {
    return await crypto.subtle.verify("Ed25519", await crypto.subtle.importKey("raw", key.bytes, "Ed25519", false, ["verify"]), signature, message);
  } catch {
    return false; // no point of the curve
  }
}

interface Line { name: string; hash: Uint8Array; signature: Uint8Array<ArrayBuffer> }

/** The signed text, with its last line end, and the signature lines, or undefined. */
function taken(note: string): { message: string; lines: Line[] } | undefined {
  if (note.length > noteBytesMost || /[\u0000-\u0009\u000b-\u001f\u007f\ufffd]/.test(note) || /\p{Surrogate}/u.test(note)) return undefined;
  const split = note.lastIndexOf("\n\n");
  if (split < 0 || !note.endsWith("\n")) return undefined;
  const lines: Line[] = [];
  const written = note.slice(split + 2, -1).split("\n");
  if (written.length > signaturesMost) return undefined;
  for (const line of written) {
    const parts = /^\u2014 (\S+) (\S+)$/.exec(line);
    const data = parts === null ? undefined : unbase64(parts[2]!);
    if (parts === null || data === undefined || data.length < 5 || !named(parts[1]!)) return undefined;
    lines.push({ name: parts[1]!, hash: data.slice(0, 4), signature: data.slice(4) });
  }
  return { message: note.slice(0, split + 1), lines };
}

/** Whether a text is a signed note at all, by whomever. */
export const isNote = (note: string): boolean => taken(note) !== undefined;

const linesOf = (lines: Line[], key: Key): Line[] => lines.filter((line) => line.name === key.name && same(line.hash, key.hash));

/**
 * Reads a checkpoint that the operator's key signed, or gives the code of what is wrong. All witnesses that are
 * given must have cosigned. It throws an InputError where signatures cannot be verified.
 */
export async function openCheckpoint(note: string, key: Key, witnesses: Key[] = []): Promise<Checkpoint | "checkpoint_signature_wrong" | "cosignature_missing"> {
  const parts = taken(note);
  if (parts === undefined || key.algorithm !== operator) return "checkpoint_signature_wrong";
  const [own] = linesOf(parts.lines, key);
  if (own === undefined || own.signature.length !== 64 || !await signed(key, own.signature, utf8(parts.message))) return "checkpoint_signature_wrong";
  const [origin, size, root] = parts.message.split("\n");
  const bytes = unbase64(root ?? "");
  if (origin !== key.name || !/^(?:0|[1-9][0-9]{0,15})$/.test(size ?? "") || !Number.isSafeInteger(Number(size)) || bytes?.length !== 32) return "checkpoint_signature_wrong";
  for (const one of witnesses) if (!await cosigned(parts, one)) return "cosignature_missing";
  return { origin, size: Number(size), root: bytes, note };
}

async function cosigned(parts: { message: string; lines: Line[] }, key: Key): Promise<boolean> {
  if (key.algorithm !== witness) throw new InputError("key_malformed", "a witness has a key of its own kind (algorithm byte 4)");
  for (const { signature } of linesOf(parts.lines, key)) {
    if (signature.length !== 72) continue;
    const time = new DataView(signature.buffer, signature.byteOffset, 8).getBigUint64(0);
    if (await signed(key, signature.slice(8), utf8(`cosignature/v1\ntime ${time}\n${parts.message}`))) return true;
  }
  return false;
}

/** The text of bytes that should be a note; what is no UTF-8 becomes a note that nobody signed. */
export const noteText = (bytes: Uint8Array): string => text(bytes) ?? "";
