// A receipt is verified, with the operator's key alone: receipt.md. Nothing is asked of anybody.

import { hex, isHex, text, unhex, utf8 } from "./bytes.js";
import type { ReceiptCode } from "./codes.js";
import { readEntry, shaped, type Entry, type SalesEntry, type SealEntry, type WinEntry } from "./entries.js";
import { entryLeaf, playOf, saleLeaf, unitLeaf } from "./hashes.js";
import { JsonError, parse, type Json } from "./json.js";
import { openCheckpoint, type Checkpoint, type Key } from "./note.js";
import { included } from "./tree.js";

/** Largest length of a receipt in bytes. */
export const receiptBytesMost = 65_536;

export interface Proven { entry: string; index: number; path: string[] }

export interface Part {
  index: number;
  prize: number;
  layout: string;
  salt: string;
  path: string[];
  seal: Proven;
  sales?: { path: string[]; entry: string; index: number; log: string[] };
}

export interface Receipt {
  format: "talon-receipt/1";
  play: string;
  at: number;
  unit: Part;
  participation?: Part;
  win?: Proven;
  checkpoint: string;
}

/** How a verification ended, with what the receipt says as far as it could be read. */
export interface Verdict {
  outcome: "complete" | "provisional" | "refused";
  code?: ReceiptCode;
  /** Which part was refused. */
  where?: "receipt" | "checkpoint" | "unit" | "participation";
  receipt?: Receipt;
  seal?: SealEntry;
  win?: WinEntry;
}

const number = (value: Json): boolean => typeof value === "number";
const string = (value: Json): boolean => typeof value === "string";
const ofBytes = (length?: number) => (value: Json): boolean => typeof value === "string" && isHex(value, length);
const path = (value: Json): boolean => Array.isArray(value) && value.every(ofBytes(32));
const proven = shaped({ entry: string, index: number, path });
const part = shaped({
  index: number, prize: number, layout: ofBytes(), salt: ofBytes(16), path, seal: proven,
  "sales?": shaped({ path, entry: string, index: number, log: path }),
});
const whole = shaped({
  format: (value) => value === "talon-receipt/1", play: ofBytes(16), at: number, unit: part,
  "participation?": part, "win?": proven, checkpoint: string,
});

/** Reads the form of a receipt, or gives undefined. */
export function readReceipt(source: string | Uint8Array): Receipt | undefined {
  const bytes = typeof source === "string" ? utf8(source) : source;
  const written = bytes.length > receiptBytesMost ? undefined : text(bytes);
  if (written === undefined) return undefined;
  try {
    const value = parse(written);
    if (!whole(value)) return undefined;
    const receipt = value as unknown as Receipt;
    return (receipt.participation?.prize ?? 0) === 0 ? receipt : undefined;
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

class Refused extends Error {
  constructor(readonly code: ReceiptCode, readonly where: Verdict["where"]) { super(code); }
}

/** Verifies a receipt. It throws an InputError where this platform cannot verify signatures. */
export async function verifyReceipt(source: string | Uint8Array, key: Key, witnesses: Key[] = []): Promise<Verdict> {
  const receipt = readReceipt(source);
  if (receipt === undefined) return { outcome: "refused", code: "receipt_malformed", where: "receipt" };
  const verdict: Verdict = { outcome: "refused", receipt };
  try {
    const checkpoint = await openCheckpoint(receipt.checkpoint, key, witnesses);
    if (typeof checkpoint === "string") throw new Refused(checkpoint, "checkpoint");
    const { unit, participation, win } = receipt;
    verdict.seal = sealOf(unit, checkpoint, "unit");
    verifyPart(receipt, unit, verdict.seal, verdict.seal, checkpoint, "unit");
    const wins = participation?.layout === "01";
    if (participation !== undefined) {
      const seal = sealOf(participation, checkpoint, "participation");
      verifyPart(receipt, participation, seal, verdict.seal, checkpoint, "participation");
      if (win !== undefined) verdict.win = winOf(win, wins, seal, participation, checkpoint);
      if (!another(seal, verdict.seal)) throw new Refused("price_wrong", "participation");
    } else if (win !== undefined) throw new Refused("win_wrong", "receipt");
    const waits = unit.sales === undefined || (participation !== undefined && participation.sales === undefined) || (wins && win === undefined);
    verdict.outcome = waits ? "provisional" : "complete";
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    verdict.code = error.code;
    if (error.where !== undefined) verdict.where = error.where;
  }
  return verdict;
}

/** Whether a participation is of another block, game and definition than its unit. */
const another = (seal: SealEntry, unit: SealEntry): boolean => seal.block !== unit.block && seal.game !== unit.game && seal.definition !== unit.definition;

/** The entry of a text, when it is in the log. */
function logged(entry: string, index: number, steps: string[], checkpoint: Checkpoint): Entry | undefined {
  const read = readEntry(entry);
  return read !== undefined && included(entryLeaf(utf8(entry)), index, checkpoint.size, steps.map(unhex), checkpoint.root) ? read : undefined;
}

function sealOf({ seal }: Part, checkpoint: Checkpoint, where: Verdict["where"]): SealEntry {
  const entry = logged(seal.entry, seal.index, seal.path, checkpoint);
  if (entry?.kind !== "seal") throw new Refused("seal_not_in_log", where);
  return entry;
}

/** Steps 4 to 7. A participation is sold by the play of its unit, whose seal is given besides its own. */
function verifyPart(receipt: Receipt, part: Part, seal: SealEntry, unitSeal: SealEntry, checkpoint: Checkpoint, where: Verdict["where"]): void {
  const block = unhex(seal.block);
  const leaf = unitLeaf(block, part.index, part.prize, unhex(part.layout), unhex(part.salt));
  if (!included(leaf, part.index, seal.size, part.path.map(unhex), unhex(seal.root))) throw new Refused("inclusion_not_proven", where);
  if (hex(playOf(unhex(unitSeal.block), receipt.unit.index, unhex(receipt.unit.salt))) !== receipt.play) throw new Refused("play_wrong", where);
  if (part.sales === undefined) return;
  const sales = salesOf(part.sales, seal, checkpoint);
  if (sales === undefined) throw new Refused("sale_not_in_log", where);
  const sale = saleLeaf(block, part.index, unhex(receipt.play), receipt.at);
  if (!included(sale, part.index, sales.sold, part.sales.path.map(unhex), unhex(sales.root))) throw new Refused("sale_not_proven", where);
}

function salesOf(sales: NonNullable<Part["sales"]>, seal: SealEntry, checkpoint: Checkpoint): SalesEntry | undefined {
  const entry = logged(sales.entry, sales.index, sales.log, checkpoint);
  return entry?.kind === "sales" && entry.block === seal.block ? entry : undefined;
}

function winOf(win: Proven, wins: boolean, seal: SealEntry, participation: Part, checkpoint: Checkpoint): WinEntry {
  const entry = wins ? logged(win.entry, win.index, win.path, checkpoint) : undefined;
  if (entry?.kind !== "jackpot-win" || entry.block !== seal.block || entry.index !== participation.index) throw new Refused("win_wrong", "participation");
  return entry;
}
