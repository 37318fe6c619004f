// What both mechanics share: the ways in which a prize comes about, and their weights (block.md, section 7).

import { DefinitionError, type Rules } from "./definition.js";
import { below, type Numbers } from "./stream.js";

/** A mechanic at one stake. Tiers are numbered as in the definition, -1 stands for losing units. */
export interface Mechanic {
  readonly cells: number;
  /** Draws the layout of a unit. It gives false when that fails a thousand times. */
  lay(tier: number, numbers: Numbers, into: Uint8Array): boolean;
  /** Reads a layout: its prize in ten-thousandths, or -1 when it is none of the game. */
  read(layout: Uint8Array): number;
}

export interface Way {
  /** Places of combinations, ascending. */
  gains: number[];
  wild: boolean;
  /** The place of the coefficient, or -1. */
  coefficient: number;
}

/** Compares lists of numbers from the first on; a list comes before one that it begins. */
export function compareLists(a: number[], b: number[]): number {
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return a.length - b.length;
}

/** The order of ways: number of gains, their lists, without before with a wild, without a multiplier before each coefficient. */
export const compareWays = (a: Way, b: Way): number =>
  a.gains.length - b.gains.length || compareLists(a.gains, b.gains) || Number(a.wild) - Number(b.wild) || a.coefficient - b.coefficient;

/** The weight of a way of a prize, given at the first stake: the definition's, or the one that follows from its gains. */
export function weightOf(way: Way, prizeAtFirst: number, rules: Rules): number {
  const coefficient = way.coefficient < 0 ? 0 : rules.coefficients[way.coefficient]!;
  for (const given of rules.weights) {
    const multiplier = given.multiplier === 1 && coefficient === 0 ? 0 : given.multiplier;
    if (given.prize === prizeAtFirst && compareLists(given.gains, way.gains) === 0 && given.wild === way.wild && multiplier === coefficient) return given.weight;
  }
  let weight = 64;
  for (let k = 1; k < way.gains.length; k++) weight = Math.floor(weight / 4);
  if (way.wild) weight = Math.floor(weight / 2);
  if (way.coefficient >= 0) weight = Math.floor(weight / 2);
  return Math.max(weight, 1);
}

/** A choice by weights: Below their sum, then the first whose running total is above. */
export class Choice<T> {
  private readonly totals: number[] = [];

  constructor(private readonly entries: T[], weights: number[]) {
    let total = 0;
    for (const weight of weights) this.totals.push(total += weight);
    if (!(total >= 1 && total <= 0xffffffff)) throw new DefinitionError(`weights that sum to ${total}`);
  }

  pick(numbers: Numbers): T {
    const x = below(numbers, this.totals[this.totals.length - 1]!);
    let from = 0;
    for (let to = this.totals.length - 1; from < to;) {
      const middle = (from + to) >> 1;
      if (this.totals[middle]! > x) to = middle;
      else from = middle + 1;
    }
    return this.entries[from]!;
  }
}
