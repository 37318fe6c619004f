// The mechanic lines: symbols that align (block.md, section 7.2).

import { DefinitionError, LayoutError, type Rules, type Tier } from "./definition.js";
import { below, type Numbers } from "./stream.js";
import { Choice, compareWays, weightOf, type Mechanic, type Way } from "./ways.js";

const attemptsMost = 1000;

/** How many placements, and steps of the search whether one can be filled, a checker goes through. */
const placementsMost = 2_000_000;
const stepsMost = 5_000_000;

interface Placement {
  /** The code of each cell, or free. */
  codes: Int16Array;
  free: number[];
  /** How many lines win. */
  lines: number;
}

interface LaidWay { coefficient: number; placements: Choice<Placement> }

const free = -1;

export class Lines implements Mechanic {
  readonly cells: number;
  private readonly fillers: number[] = [];
  private readonly wild: number; // codes
  private readonly multiplierFrom: number;
  private readonly gainOf: Float64Array; // by code, -1 where a line of it wins nothing
  private readonly codes: number;
  private readonly tiers: Choice<LaidWay>[] = [];
  private readonly combinationCode: number[];
  private placements = 0;

  constructor(private readonly rules: Rules, tiers: Tier[]) {
    this.cells = rules.cells;
    const codeOf: number[] = [];
    let code = 0;
    rules.roles.forEach((role, symbol) => {
      codeOf.push(code);
      if (role === "paying" || role === "neutral") this.fillers.push(code);
      code += symbol === rules.multiplier ? rules.coefficients.length : 1;
    });
    this.codes = code;
    if (code > 255 || this.fillers.length === 0 || rules.lines.length > 64) throw new DefinitionError("more symbols or lines than can be read here, or none");
    this.wild = rules.wild < 0 ? -2 : codeOf[rules.wild]!;
    this.multiplierFrom = rules.multiplier < 0 ? code : codeOf[rules.multiplier]!;
    this.combinationCode = rules.combinations.map(({ symbols }) => codeOf[symbols[0]!]!);
    this.gainOf = new Float64Array(code).fill(-1);
    rules.combinations.forEach(({ gain }, place) => { this.gainOf[this.combinationCode[place]!] = gain; });
    const ways = this.ways();
    for (const tier of tiers) this.tiers.push(this.choices(ways, tier));
  }

  private isMultiplier(code: number): boolean {
    return code >= this.multiplierFrom && code < this.multiplierFrom + this.rules.coefficients.length;
  }

  /** The code that a line wins with, or -1. Free cells win nothing. */
  private wins(codes: ArrayLike<number>, line: number[]): number {
    let shown = -1;
    let wilds = 0;
    for (let k = 0; k < line.length; k++) {
      const code = codes[line[k]!]!;
      if (code === this.wild) {
        if (++wilds > 1) return -1;
      } else if (shown < 0) {
        if (code < 0 || this.gainOf[code]! < 0) return -1;
        shown = code;
      } else if (code !== shown) return -1;
    }
    return shown;
  }

  private winning(codes: ArrayLike<number>): number {
    let count = 0;
    for (const line of this.rules.lines) if (this.wins(codes, line) >= 0) count++;
    return count;
  }

  /** All ways in their order, those without a placement included. */
  private ways(): Way[] {
    const { rules } = this;
    const found: Way[] = [];
    const gains: number[] = [];
    const extend = (from: number): void => {
      for (let place = from; place < rules.combinations.length && gains.length < Math.min(rules.gainsMost, rules.lines.length); place++) {
        gains.push(place);
        for (const wild of rules.wild < 0 ? [false] : [false, true]) {
          for (let coefficient = -1; coefficient < rules.coefficients.length; coefficient++) found.push({ gains: [...gains], wild, coefficient });
        }
        extend(place);
        gains.pop();
      }
    };
    extend(0);
    return found.sort(compareWays);
  }

  private choices(ways: Way[], tier: Tier): Choice<LaidWay> {
    const laid: LaidWay[] = [];
    const weights: number[] = [];
    for (const way of ways) {
      const coefficient = way.coefficient < 0 ? 1 : this.rules.coefficients[way.coefficient]!;
      if (way.gains.reduce((sum, place) => sum + this.rules.combinations[place]!.gain, 0) * coefficient !== tier.amount) continue;
      const placements = this.placementsOf(way);
      if (placements.length === 0) continue;
      const fewest = Math.min(...placements.map((p) => p.free.length));
      const heavy = placements.map((p) => this.fillers.length ** (p.free.length - fewest) * (way.coefficient < 0 ? 1 : p.free.length));
      laid.push({ coefficient: way.coefficient, placements: new Choice(placements, heavy) });
      weights.push(weightOf(way, tier.first, this.rules));
    }
    if (laid.length === 0) throw new LayoutError("a prize that no layout makes");
    return new Choice(laid, weights);
  }

  /** The placements of a way that count, in their order. */
  private placementsOf(way: Way): Placement[] {
    const { rules } = this;
    const found: Placement[] = [];
    const chosen: number[] = [];
    const place = (gain: number): void => {
      if (gain === way.gains.length) {
        found.push(...this.placed(way, chosen));
        return;
      }
      const from = gain > 0 && way.gains[gain] === way.gains[gain - 1] ? chosen[gain - 1]! + 1 : 0;
      for (let line = from; line < rules.lines.length; line++) {
        if (chosen.includes(line)) continue;
        chosen.push(line);
        place(gain + 1);
        chosen.pop();
      }
    };
    place(0);
    return found;
  }

  /** The placements of a way on chosen lines: one, or one for each cell of the wild. */
  private placed(way: Way, chosen: number[]): Placement[] {
    const covered = [...new Set(chosen.flatMap((line) => this.rules.lines[line]!))].sort((a, b) => a - b);
    return (way.wild ? covered : [-1]).flatMap((wildCell) => {
      if (++this.placements > placementsMost) throw new DefinitionError("more placements than can be gone through here");
      const codes = new Int16Array(this.cells).fill(free);
      if (wildCell >= 0) codes[wildCell] = this.wild;
      for (let gain = 0; gain < chosen.length; gain++) {
        const code = this.combinationCode[way.gains[gain]!]!;
        for (const cell of this.rules.lines[chosen[gain]!]!) {
          if (cell === wildCell) continue;
          if (codes[cell] !== free && codes[cell] !== code) return [];
          codes[cell] = code;
        }
      }
      const placement = { codes, free: [...codes.keys()].filter((cell) => codes[cell] === free), lines: chosen.length };
      return this.canBeFilled(placement, way.coefficient) ? [placement] : [];
    });
  }

  /** Whether choices 3 and 4 can be made so that exactly the placement's lines win. */
  private canBeFilled(placement: Placement, coefficient: number): boolean {
    if (coefficient < 0) return this.fill(Int16Array.from(placement.codes), placement.free, placement.lines);
    return placement.free.some((cell) => {
      const codes = Int16Array.from(placement.codes);
      codes[cell] = this.multiplierFrom + coefficient;
      return this.fill(codes, placement.free.filter((other) => other !== cell), placement.lines);
    });
  }

  private fill(codes: Int16Array, cells: number[], lines: number): boolean {
    let steps = 0;
    const fillFrom = (at: number): boolean => {
      if (++steps > stepsMost) throw new DefinitionError("a placement that takes too long to fill here");
      if (this.winning(codes) > lines) return false;
      if (at === cells.length) return true;
      for (const filler of this.fillers) {
        codes[cells[at]!] = filler;
        if (fillFrom(at + 1)) return true;
      }
      codes[cells[at]!] = free;
      return false;
    };
    return fillFrom(0);
  }

  lay(tier: number, numbers: Numbers, into: Uint8Array): boolean {
    const { fillers } = this;
    if (tier < 0) {
      for (let attempt = 0; attempt < attemptsMost; attempt++) {
        for (let cell = 0; cell < this.cells; cell++) into[cell] = fillers[below(numbers, fillers.length)]!;
        if (this.winning(into) === 0) return true;
      }
      return false;
    }
    const way = this.tiers[tier]!.pick(numbers);
    for (let attempt = 0; attempt < attemptsMost; attempt++) {
      const placement = way.placements.pick(numbers);
      const multiplierCell = way.coefficient < 0 ? -1 : placement.free[below(numbers, placement.free.length)]!;
      for (let cell = 0; cell < this.cells; cell++) {
        const code = placement.codes[cell]!;
        into[cell] = code !== free ? code : cell === multiplierCell ? this.multiplierFrom + way.coefficient : fillers[below(numbers, fillers.length)]!;
      }
      if (this.winning(into) === placement.lines) return true;
    }
    return false;
  }

  read(layout: Uint8Array): number {
    if (layout.length !== this.cells) return -1;
    let coefficient = 1;
    let multipliers = 0;
    let wilds = 0;
    for (let cell = 0; cell < layout.length; cell++) {
      const code = layout[cell]!;
      if (code >= this.codes) return -1;
      if (code === this.wild) wilds++;
      if (this.isMultiplier(code)) {
        multipliers++;
        coefficient = this.rules.coefficients[code - this.multiplierFrom]!;
      }
    }
    if (wilds > 1 || multipliers > 1) return -1;
    let sum = 0;
    for (const line of this.rules.lines) {
      const code = this.wins(layout, line);
      if (code >= 0) sum += this.gainOf[code]!;
    }
    return sum * coefficient;
  }
}
