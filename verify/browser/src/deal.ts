// A block is dealt again from its secret and its definition: block.md, sections 3 to 8.

import { Aes256 } from "./aes.js";
import { Collect } from "./collect.js";
import type { Definition } from "./definition.js";
import { UnitLeaves } from "./hashes.js";
import { Lines } from "./lines.js";
import { below, keyOf, shuffle, Stream } from "./stream.js";
import type { Mechanic } from "./ways.js";

/** One unit, as the dealer knows it. The next one is written over it. */
export interface Unit {
  /** In the definition's order, or -1: a losing unit, or a participation. */
  tier: number;
  prize: number;
  layout: Uint8Array;
  /** Four words. */
  salt: Int32Array;
  /** Whether a layout was found, and whether it reads as the prize. */
  laid: boolean;
  reads: boolean;
}

export class Dealer {
  readonly unit: Unit;
  private readonly mechanic: Mechanic | undefined;
  private readonly tiers: Int16Array;
  private readonly layouts: Stream;
  private readonly salts: Aes256;
  private readonly leaves: UnitLeaves;

  /** Shuffles a block. It throws a LayoutError when no layout makes one of the prizes. */
  constructor(private readonly definition: Definition, block: Uint8Array, secret: Uint8Array, readonly size: number) {
    const { tiers, rules } = definition;
    this.mechanic = rules === undefined ? undefined : rules.kind === "collect" ? new Collect(rules, tiers) : new Lines(rules, tiers);
    this.layouts = new Stream(new Aes256(keyOf(secret, block, "layout")));
    this.salts = new Aes256(keyOf(secret, block, "salt"));
    const cells = this.mechanic?.cells ?? 1;
    this.leaves = new UnitLeaves(block, cells);
    this.unit = { tier: -1, prize: 0, layout: new Uint8Array(cells), salt: new Int32Array(4), laid: true, reads: true };
    this.tiers = new Int16Array(size).fill(-1);
    let at = 0;
    tiers.forEach(({ count }, tier) => {
      this.tiers.fill(tier, at, at = Math.min(size, at + count)); // prizes for which there is no unit will be missed
    });
    if (rules !== undefined) shuffle(this.tiers, new Stream(new Aes256(keyOf(secret, block, "shuffle"))).start(0));
  }

  /** Deals a unit into the field of this name, and its leaf as eight words. */
  deal(index: number, leaf: Int32Array, at: number): Unit {
    const { unit, mechanic } = this;
    const tier = unit.tier = this.tiers[index]!;
    unit.prize = tier < 0 ? 0 : this.definition.tiers[tier]!.amount;
    this.layouts.start(index);
    if (mechanic === undefined) unit.layout[0] = below(this.layouts, this.definition.odds) === 0 ? 1 : 0;
    else {
      unit.laid = mechanic.lay(tier, this.layouts, unit.layout);
      unit.reads = unit.laid && mechanic.read(unit.layout) === unit.prize;
    }
    this.salts.encrypt(0, 0, 0, index, unit.salt);
    this.leaves.hash(index, unit.prize, unit.layout, unit.salt, leaf, at);
    return unit;
  }
}
