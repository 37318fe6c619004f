// The mechanic collect: symbols that are collected (block.md, section 7.1).

import { DefinitionError, LayoutError, type Rules, type Tier } from "./definition.js";
import { below, type Numbers } from "./stream.js";
import { Choice, compareLists, compareWays, weightOf, type Mechanic, type Way } from "./ways.js";

/** How many compositions a checker goes through; Pièce d'or has some 3 300. */
const compositionsMost = 3_000_000;

interface Reading { gains: number[]; sum: number; wild: boolean }

/** A composition: how often each symbol occurs. */
type Counts = number[];

const better = (a: Reading, b: Reading): boolean =>
  a.sum !== b.sum ? a.sum > b.sum
    : a.gains.length !== b.gains.length ? a.gains.length < b.gains.length
      : a.wild !== b.wild ? !a.wild
        : compareLists(a.gains, b.gains) < 0;

export class Collect implements Mechanic {
  readonly cells: number;
  private readonly prizes = new Map<number, number>(); // of each composition, by its key
  private readonly powers: number[]; // of a composition's key
  private readonly tiers: Choice<Choice<Counts>>[] = [];
  private readonly losing: Choice<Choice<Counts>>;
  private readonly needed: Counts[]; // symbols of each combination

  constructor(private readonly rules: Rules, tiers: Tier[]) {
    this.cells = rules.cells;
    this.powers = rules.roles.map((_, symbol) => (rules.cells + 1) ** symbol);
    if ((rules.cells + 1) ** rules.roles.length > Number.MAX_SAFE_INTEGER) throw new DefinitionError("more symbols and cells than can be counted here");
    this.needed = rules.combinations.map(({ symbols }) => rules.roles.map((_, symbol) => symbols.filter((s) => s === symbol).length));
    const found = this.compositions();
    this.losing = this.choices(found.get(0), 0);
    for (const tier of tiers) this.tiers.push(this.choices(found.get(tier.amount), tier.first));
  }

  /** All compositions by prize, with the gains of their best reading, in the order of section 7.1. */
  private compositions(): Map<number, { counts: Counts; way: Way }[]> {
    const { rules } = this;
    const byPrize = new Map<number, { counts: Counts; way: Way }[]>();
    const counts: Counts = rules.roles.map(() => 0);
    const last = counts.length - 1;
    let seen = 0;
    const fill = (symbol: number, left: number): void => {
      const most = symbol === rules.wild ? Math.min(1, left) : rules.roles[symbol] === "paying" || rules.roles[symbol] === "neutral" ? left : 0;
      for (let n = symbol === last ? left : 0; n <= most; n++) {
        counts[symbol] = n;
        if (symbol < last) {
          fill(symbol + 1, left - n);
          continue;
        }
        if (++seen > compositionsMost) throw new DefinitionError("more compositions than can be gone through here");
        const reading = this.best(counts);
        this.prizes.set(this.key(counts), reading.sum);
        const way = { gains: reading.gains, wild: rules.wild >= 0 && counts[rules.wild]! > 0, coefficient: -1 };
        const list = byPrize.get(reading.sum) ?? [];
        list.push({ counts: [...counts], way });
        byPrize.set(reading.sum, list);
      }
      counts[symbol] = 0;
    };
    fill(0, this.cells);
    return byPrize;
  }

  private key(counts: Counts): number { return counts.reduce((sum, n, symbol) => sum + n * this.powers[symbol]!, 0); }

  /** The best reading of a composition. */
  private best(counts: Counts): Reading {
    const { rules, needed } = this;
    const left = [...counts];
    const wilds = rules.wild < 0 ? 0 : counts[rules.wild]!;
    let best: Reading = { gains: [], sum: 0, wild: false };
    const gains: number[] = [];
    const extend = (from: number, sum: number, wildUsed: boolean): void => {
      const reading = { gains, sum, wild: wildUsed };
      if (better(reading, best)) best = { ...reading, gains: [...gains] };
      for (let place = from; place < needed.length; place++) {
        const lacking = needed[place]!.reduce((total, n, symbol) => total + Math.max(0, n - left[symbol]!), 0);
        if (lacking > (wildUsed ? 0 : wilds)) continue;
        // The wild stands in for one that is lacking, or for any one symbol of the combination, to spare that one.
        const standsFor = needed[place]!.flatMap((n, symbol) => (n > 0 && wilds > 0 && !wildUsed && (lacking === 0 || n > left[symbol]!) ? [symbol] : []));
        for (const spared of lacking === 0 ? [-1, ...standsFor] : standsFor) {
          const taken = needed[place]!.map((n, symbol) => n - Number(symbol === spared));
          taken.forEach((n, symbol) => { left[symbol]! -= n; });
          gains.push(place);
          extend(place, sum + rules.combinations[place]!.gain, wildUsed || spared >= 0);
          gains.pop();
          taken.forEach((n, symbol) => { left[symbol]! += n; });
        }
      }
    };
    extend(0, 0, false);
    return best;
  }

  /** The choices 1 and 2 of a prize. */
  private choices(found: { counts: Counts; way: Way }[] | undefined, prizeAtFirst: number): Choice<Choice<Counts>> {
    if (found === undefined) throw new LayoutError("a prize that no layout makes");
    const ways = new Map<string, { way: Way; counts: Counts[] }>();
    for (const { counts, way } of found) {
      const name = JSON.stringify(way);
      const entry = ways.get(name) ?? { way, counts: [] };
      entry.counts.push(counts);
      ways.set(name, entry);
    }
    const ordered = [...ways.values()].sort((a, b) => compareWays(a.way, b.way));
    return new Choice(
      ordered.map(({ counts }) => new Choice(counts, counts.map(orders))),
      ordered.map(({ way }) => weightOf(way, prizeAtFirst, this.rules)),
    );
  }

  lay(tier: number, numbers: Numbers, into: Uint8Array): boolean {
    const counts = (tier < 0 ? this.losing : this.tiers[tier]!).pick(numbers).pick(numbers);
    let cell = 0;
    for (let symbol = 0; symbol < counts.length; symbol++) for (let n = counts[symbol]!; n > 0; n--) into[cell++] = symbol;
    for (let i = this.cells - 1; i >= 1; i--) {
      const j = below(numbers, i + 1);
      const kept = into[i]!;
      into[i] = into[j]!;
      into[j] = kept;
    }
    return true;
  }

  read(layout: Uint8Array): number {
    if (layout.length !== this.cells) return -1;
    let key = 0;
    for (let cell = 0; cell < layout.length; cell++) {
      const power = this.powers[layout[cell]!];
      if (power === undefined) return -1;
      key += power;
    }
    return this.prizes.get(key) ?? -1;
  }
}

/** How many orders a composition has. */
function orders(counts: Counts): number {
  let total = 1n;
  let cells = 0n;
  for (const count of counts) {
    for (let n = 1n; n <= BigInt(count); n++) total = (total * ++cells) / n; // exact at each step: a product of binomial coefficients
  }
  return Number(total);
}
