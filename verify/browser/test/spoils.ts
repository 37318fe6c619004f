// Receipts, one spoilt for each code and for the reasons it has.

import type { ReceiptCode } from "../src/codes.js";
import { canonical, parse, type Json, type JsonObject } from "../src/json.js";
import { receiptOf, type Published } from "./publication.js";

type Spoil = (receipt: JsonObject & { unit: JsonObject; participation: JsonObject }) => JsonObject | void;
const at = <T extends Json>(value: Json | undefined): T => value as T;
const flipped = (digest: string): string => (digest.startsWith("0") ? "1" : "0") + digest.slice(1);
const flip = (list: Json | undefined, place = 0): void => { at<string[]>(list)[place] = flipped(at<string[]>(list)[place]!); };

/** Code, the sale it is of, and what is done to its receipt. */
const spoils = (made: Published, winner: number, loser: number): [ReceiptCode, string, Spoil, number?][] => [
  ["receipt_malformed", "another format", (r) => { r["format"] = "talon-receipt/2"; }],
  ["receipt_malformed", "a key too many", (r) => { r["player"] = "somebody"; }],
  ["receipt_malformed", "a key too many inside", (r) => { r.unit["tier"] = 1; }],
  ["receipt_malformed", "a key too few", (r) => { delete r["at"]; }],
  ["receipt_malformed", "a time before 1970", (r) => { r["at"] = -1; }],
  ["receipt_malformed", "capitals", (r) => { r["play"] = at<string>(r["play"]).toUpperCase(); }],
  ["receipt_malformed", "too long", (r) => { r["checkpoint"] = at<string>(r["checkpoint"]) + "\n".repeat(70_000); }],
  ["checkpoint_signature_wrong", "another root", (r) => { r["checkpoint"] = at<string>(r["checkpoint"]).replace(/\n2[0-9]+\n./, (found) => found.slice(0, -1) + (found.endsWith("A") ? "B" : "A")); }],
  ["checkpoint_signature_wrong", "no signature", (r) => { r["checkpoint"] = at<string>(r["checkpoint"]).split("\u2014")[0]!; }],
  ["checkpoint_signature_wrong", "no note at all", (r) => { r["checkpoint"] = ""; }],
  ["seal_not_in_log", "another index", (r) => { at<JsonObject>(r.unit["seal"])["index"] = 3; }],
  ["seal_not_in_log", "an entry that is no seal", (r) => { r.unit["seal"] = { ...at<JsonObject>(r["win"]) }; }, winner],
  ["seal_not_in_log", "a seal with another root", (r) => { const seal = at<JsonObject>(r.unit["seal"]); seal["entry"] = at<string>(seal["entry"]).replace(/"root":"./, '"root":"x'); }],
  ["inclusion_not_proven", "another prize", (r) => { r.unit["prize"] = 99; }],
  ["inclusion_not_proven", "another symbol", (r) => { r.unit["layout"] = flipped(at<string>(r.unit["layout"])); }],
  ["inclusion_not_proven", "another salt", (r) => { r.unit["salt"] = flipped(at<string>(r.unit["salt"])); }],
  ["inclusion_not_proven", "an index beyond the size", (r) => { r.unit["index"] = 12; }],
  ["inclusion_not_proven", "a path too short", (r) => { at<Json[]>(r.unit["path"]).pop(); }],
  ["inclusion_not_proven", "a unit of another block", (r) => { r.unit["seal"] = at<JsonObject>(receiptOf(made, made.blocks.sold, 1)["unit"])["seal"]!; }],
  ["inclusion_not_proven", "a participation with another layout", (r) => { r.participation["layout"] = "01"; }, loser],
  ["play_wrong", "another play", (r) => { r["play"] = flipped(at<string>(r["play"])); }],
  ["sale_not_in_log", "sales of another block", (r) => { r.unit["sales"] = at<JsonObject>(receiptOf(made, made.blocks.sold, 1)["unit"])["sales"]!; }],
  ["sale_not_in_log", "a spoilt path", (r) => { flip(at<JsonObject>(r.unit["sales"])["log"]); }],
  ["sale_not_in_log", "of the participation", (r) => { flip(at<JsonObject>(r.participation["sales"])["log"]); }],
  ["sale_not_proven", "another time", (r) => { r["at"] = at<number>(r["at"]) + 1; }],
  ["sale_not_proven", "a spoilt path", (r) => { flip(at<JsonObject>(r.unit["sales"])["path"]); }],
  ["win_wrong", "a win of one that does not win", (r) => { r["win"] = at<JsonObject>(receiptOf(made, made.blocks.open, winner, made.blocks.pots)["win"]); }, loser],
  ["win_wrong", "a win without a participation", (r) => { const { participation: _, ...rest } = r; return rest; }, winner],
  ["win_wrong", "a spoilt path", (r) => { flip(at<JsonObject>(r["win"])["path"]); }, winner],
  ["win_wrong", "another entry", (r) => { r["win"] = at<JsonObject>(r.unit["seal"]); }, winner],
  ["price_wrong", "one block twice", (r) => { const { win: _, ...rest } = r; return { ...rest, participation: structuredClone(r.unit) }; }, made.blocks.open.units.findIndex(({ prize }) => prize === 0)],
];

/** Participations sold with the open block: one that wins, and one that does not. */
export function winnerAndLoser(made: Published): [number, number] {
  const wins = made.blocks.pots.units.slice(0, 12).map(({ layout }) => layout[0]);
  return [wins.indexOf(1), wins.indexOf(0)];
}

export function spoilt(made: Published): { code: ReceiptCode; what: string; source: string }[] {
  return spoils(made, ...winnerAndLoser(made)).map(([code, what, spoil, index]) => {
    const receipt = parse(canonical(receiptOf(made, made.blocks.open, index ?? 1, made.blocks.pots))) as never as Parameters<Spoil>[0];
    return { code, what, source: JSON.stringify(spoil(receipt) ?? receipt) };
  });
}
