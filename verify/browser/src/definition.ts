// A definition, as far as units follow from it: definition.md, read from canonical JSON.

import { isObject, type Json, type JsonObject } from "./json.js";

/** A definition that cannot be read, or asks for more than a checker can do. */
export class DefinitionError extends Error {}

/** A definition whose table has more prizes than a block has units. */
export class TableError extends DefinitionError {}

/** A definition that has a prize without a layout: none of its blocks can be dealt. */
export class LayoutError extends DefinitionError {}

/** Largest number of units of a block (definition.md, section 2). */
export const unitsMost = 10_000_000;

export interface Tier {
  count: number;
  /** In ten-thousandths, at the block's stake. */
  amount: number;
  /** At the first stake, by which weights name a prize. */
  first: number;
}

export interface Weight { prize: number; gains: number[]; wild: boolean; multiplier: number; weight: number }

export interface Combination { symbols: number[]; gain: number }

/** The mechanic's part, at one stake. Symbols are numbers, the places in the definition's list. */
export interface Rules {
  kind: "collect" | "lines";
  cells: number;
  rows: number;
  columns: number;
  roles: ("paying" | "neutral" | "wild" | "multiplier")[];
  wild: number; // the symbol, or -1
  multiplier: number; // the symbol, or -1
  coefficients: number[];
  combinations: Combination[];
  gainsMost: number;
  lines: number[][];
  weights: Weight[];
}

export interface Definition {
  kind: "game" | "jackpot";
  name: string;
  size: number;
  /** Of a unit at the stake, or of a participation. */
  price: number;
  tiers: Tier[];
  rules: Rules | undefined;
  /** Of a jackpot: one in so many wins; the starting amount, and the pot's share of a price. */
  odds: number;
  start: number;
  share: number;
}

function fail(what: string): never { throw new DefinitionError(what); }

const object = (value: Json | undefined, what: string): JsonObject => (isObject(value) ? value : fail(`${what} is no object`));
const list = (value: Json | undefined, what: string): Json[] => (Array.isArray(value) ? value : fail(`${what} is no list`));
const string = (value: Json | undefined, what: string): string => (typeof value === "string" ? value : fail(`${what} is no text`));

function whole(value: Json | undefined, what: string, least: number, most: number): number {
  if (typeof value !== "number" || value < least || value > most) fail(`${what} is no number from ${least} to ${most}`);
  return value;
}

const amountMost = 1_000_000_000;

/** An amount in ten-thousandths: a whole number of units, or a text with two to four decimals. */
export function amount(value: Json | undefined, what: string): number {
  if (typeof value === "number" && value <= amountMost) return value * 10_000;
  const parts = typeof value === "string" ? /^(0|[1-9][0-9]{0,9})\.([0-9]{2,4})$/.exec(value) : null;
  if (parts === null) fail(`${what} is no amount`);
  return Number(parts[1]) * 10_000 + Number(parts[2]!.padEnd(4, "0"));
}

const at = (values: Json[], place: number, what: string): Json => values[place] ?? fail(`${what} has no entry ${place}`);

/** Reads a definition at one of its stakes. It throws a DefinitionError. */
export function readDefinition(document: Json, stake: number): Definition {
  const d = object(document, "the definition");
  const name = string(d["name"], "name");
  const size = whole(object(d["block"], "block")["size"], "block.size", 1, unitsMost);
  if (d["kind"] === "jackpot") {
    if (stake !== 0) fail("a jackpot has one price");
    const odds = whole(d["one_in"], "one_in", 2, 1_000_000_000);
    const start = amount(d["start"], "start");
    const share = amount(object(d["shares"], "shares")["pot"], "shares.pot");
    return { kind: "jackpot", name, size, price: amount(d["price"], "price"), tiers: [], rules: undefined, odds, start, share };
  }
  if (d["kind"] !== "game") fail("kind is neither game nor jackpot");
  const price = amount(object(at(list(d["stakes"], "stakes"), stake, "stakes"), "a stake")["price"], "price");
  const tiers = list(object(d["prizes"], "prizes")["tiers"], "prizes.tiers").map((value) => {
    const tier = object(value, "a tier");
    const amounts = list(tier["amounts"], "amounts");
    return {
      count: whole(tier["count"], "count", 1, size),
      amount: amount(at(amounts, stake, "amounts"), "an amount"),
      first: amount(at(amounts, 0, "amounts"), "an amount"),
    };
  });
  if (tiers.length > 64) fail("more than 64 tiers");
  if (tiers.reduce((sum, tier) => sum + tier.count, 0) > size) throw new TableError("more prizes than units");
  return { kind: "game", name, size, price, tiers, rules: rules(object(d["mechanic"], "mechanic"), stake), odds: 0, start: 0, share: 0 };
}

function rules(m: JsonObject, stake: number): Rules {
  const kind = m["kind"];
  if (kind !== "collect" && kind !== "lines") fail("a mechanic that is not known here");
  const symbols = list(m["symbols"], "symbols").map((value) => object(value, "a symbol"));
  const places = new Map(symbols.map((symbol, place) => [string(symbol["name"], "a symbol's name"), place]));
  const place = (value: Json | undefined): number => places.get(string(value, "a symbol")) ?? fail(`an unknown symbol`);
  const read: Rules = {
    kind, cells: 0, rows: 0, columns: 0, wild: -1, multiplier: -1, coefficients: [], gainsMost: 3, lines: [],
    roles: symbols.map((symbol) => role(symbol["role"])),
    combinations: list(m["combinations"], "combinations").map((value) => {
      const combination = object(value, "a combination");
      const gain = amount(at(list(combination["gains"], "gains"), stake, "gains"), "a gain");
      const named = kind === "collect" ? list(combination["symbols"], "symbols").map(place) : [place(combination["symbol"])];
      return { symbols: named, gain };
    }),
    weights: m["weights"] === undefined ? [] : list(m["weights"], "weights").map(weight),
  };
  if (m["wild"] !== undefined) read.wild = place(object(m["wild"], "wild")["symbol"]);
  if (kind === "collect") {
    read.cells = whole(m["cells"], "cells", 1, 31);
    return read;
  }
  read.rows = whole(m["rows"], "rows", 1, 6);
  read.columns = whole(m["columns"], "columns", 1, 6);
  read.cells = read.rows * read.columns;
  if (m["multiplier"] !== undefined) {
    const multiplier = object(m["multiplier"], "multiplier");
    read.multiplier = place(multiplier["symbol"]);
    read.coefficients = list(multiplier["coefficients"], "coefficients").map((value) => whole(value, "a coefficient", 1, 1_000_000));
  }
  if (m["gains_most"] !== undefined) read.gainsMost = whole(m["gains_most"], "gains_most", 1, 36);
  read.lines = list(m["lines"], "lines").flatMap((value) => linesOf(value, read.rows, read.columns));
  return read;
}

function role(value: Json | undefined): Rules["roles"][number] {
  if (value === undefined) return "paying";
  if (value === "paying" || value === "neutral" || value === "wild" || value === "multiplier") return value;
  fail("a role that is not known");
}

function weight(value: Json): Weight {
  const w = object(value, "a weight");
  return {
    prize: amount(w["prize"], "prize"),
    gains: w["gains"] === undefined ? [] : list(w["gains"], "gains").map((gain) => whole(gain, "a gain", 0, 1000)).sort((a, b) => a - b),
    wild: w["wild"] === true,
    multiplier: w["multiplier"] === undefined ? 0 : whole(w["multiplier"], "multiplier", 0, 1_000_000),
    weight: whole(w["weight"], "weight", 1, 1_000_000),
  };
}

function linesOf(value: Json, rows: number, columns: number): number[][] {
  const count = (n: number): number[] => Array.from({ length: n }, (_, k) => k);
  if (value === "rows") return count(rows).map((row) => count(columns).map((column) => row * columns + column));
  if (value === "columns") return count(columns).map((column) => count(rows).map((row) => row * columns + column));
  if (value === "diagonals") {
    if (rows !== columns) fail("diagonals of a grid that is not square");
    return [count(rows).map((k) => k * columns + k), count(rows).map((k) => k * columns + columns - 1 - k)];
  }
  return [list(value, "a line").map((cell) => whole(cell, "a cell", 0, rows * columns - 1))];
}
