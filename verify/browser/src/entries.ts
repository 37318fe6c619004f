// Entries of the public log: log.md, section 1.

import { isHex, text, utf8 } from "./bytes.js";
import { canonical, isObject, JsonError, parse, type Json, type JsonObject } from "./json.js";

export interface Beacon { key: string; round: number; scheme: string }
export interface Contribution { party: string; commitment: string }
export interface Share { party: string; share: string }

interface Common { version: number; at: number }
export interface DefinitionEntry extends Common { kind: "definition"; name: string; type: "game" | "jackpot"; definition: string }
export interface EmissionEntry extends Common { kind: "emission"; emission: number; game: string; stake: number; blocks: number }
export interface CeremonyEntry extends Common { kind: "ceremony"; block: string; emission: number; position: number; parties: string[]; beacon?: Beacon }
export interface ContributionEntry extends Common { kind: "contribution"; block: string; party: string; commitment: string }
export interface AbandonmentEntry extends Common { kind: "abandonment"; block: string; by: string; why: string }
export interface SealEntry extends Common {
  kind: "seal"; block: string; format: number; game: string; definition: string; stake: number; price: number; size: number; root: string;
  commitment: string; emission: number; position: number; by: string; contributions?: Contribution[]; beacon?: Beacon;
}
export interface ApprovalEntry extends Common { kind: "approval"; block: string; by: string; why: string }
export interface SalesEntry extends Common { kind: "sales"; block: string; sold: number; root: string }
export interface WinEntry extends Common { kind: "jackpot-win"; jackpot: string; block: string; index: number; amount: number; since: number }
export interface WithdrawalEntry extends Common { kind: "withdrawal"; block: string; sold: number; root: string; by: string; why: string }
export interface OpeningEntry extends Common { kind: "opening"; block: string; secret: string; shares?: Share[]; signature?: string }

export type Entry = DefinitionEntry | EmissionEntry | CeremonyEntry | ContributionEntry | AbandonmentEntry | SealEntry | ApprovalEntry
  | SalesEntry | WinEntry | WithdrawalEntry | OpeningEntry;

/** Largest length of an entry in bytes. */
export const entryBytesMost = 65_535;

type Check = (value: Json) => boolean;
const number: Check = (value) => typeof value === "number";
const count: Check = (value) => typeof value === "number" && value < 2 ** 32;
const textOf = (most: number): Check => (value) => typeof value === "string" && value !== "" && utf8(value).length <= most;
const name: Check = (value) => typeof value === "string" && value.length <= 40 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(value);
const digest: Check = (value) => typeof value === "string" && isHex(value, 32);
const identifier: Check = (value) => typeof value === "string" && isHex(value, 16);
const bytes: Check = (value) => typeof value === "string" && value !== "" && value.length <= 2 * 200 && isHex(value);
const by = textOf(100);
const why = textOf(500);
const one: Check = (value) => value === 1;
const oneOf = (...values: string[]): Check => (value) => typeof value === "string" && values.includes(value);

/** A list of parties, or of what they gave: 1 to 100, none of a party twice. */
const listOf = (check: Check): Check => (value) => {
  if (!Array.isArray(value) || value.length < 1 || value.length > 100 || !value.every(check)) return false;
  return new Set(value.map((element) => (isObject(element) ? element["party"] : element))).size === value.length;
};

/** Whether a value is an object with these keys and no others; a key that ends in ? may be left out. */
export const shaped = (keys: Record<string, Check>): Check => (value) => {
  if (!isObject(value)) return false;
  const known = new Map(Object.entries(keys).map(([key, check]) => [key.replace("?", ""), check]));
  return Object.keys(value).every((key) => known.get(key)?.(value[key] as Json) === true)
    && Object.keys(keys).every((key) => key.endsWith("?") || key in value);
};

const beacon = shaped({ key: bytes, round: number, scheme: name });
const common = { kind: name, version: one, at: number };
const kinds: Record<Entry["kind"], Check> = {
  definition: shaped({ ...common, name, type: oneOf("game", "jackpot"), definition: digest }),
  emission: shaped({ ...common, emission: number, game: name, stake: count, blocks: count }),
  ceremony: shaped({ ...common, block: identifier, emission: number, position: count, parties: listOf(name), "beacon?": beacon }),
  contribution: shaped({ ...common, block: identifier, party: name, commitment: digest }),
  abandonment: shaped({ ...common, block: identifier, by, why }),
  seal: shaped({
    ...common, block: identifier, format: one, game: name, definition: digest, stake: count, price: number, size: count, root: digest, commitment: digest,
    emission: number, position: count, by, "contributions?": listOf(shaped({ party: name, commitment: digest })), "beacon?": beacon,
  }),
  approval: shaped({ ...common, block: identifier, by, why }),
  sales: shaped({ ...common, block: identifier, sold: count, root: digest }),
  "jackpot-win": shaped({ ...common, jackpot: name, block: identifier, index: count, amount: number, since: number }),
  withdrawal: shaped({ ...common, block: identifier, sold: count, root: digest, by, why }),
  opening: shaped({ ...common, block: identifier, secret: digest, "shares?": listOf(shaped({ party: name, share: digest })), "signature?": bytes }),
};

/** The entry of a text, or undefined when it is none: not canonical, a key too many or too few, a value of another form. */
export function readEntry(source: string): Entry | undefined {
  if (source.length > entryBytesMost || utf8(source).length > entryBytesMost) return undefined;
  let value: Json;
  try {
    value = parse(source);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
  if (!isObject(value) || canonical(value) !== source) return undefined;
  const check = Object.hasOwn(kinds, String((value as JsonObject)["kind"])) ? kinds[value["kind"] as Entry["kind"]] : undefined;
  return check?.(value) === true ? value as unknown as Entry : undefined;
}

export const readEntryBytes = (source: Uint8Array): Entry | undefined => {
  const written = text(source);
  return written === undefined ? undefined : readEntry(written);
};
