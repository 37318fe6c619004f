// The rules of the public log: log.md, section 2, with the codes of publication.md, section 2. An entry gives at most
// one code, and counts for those after it as if it were right, so that one fault is told once.

import type { Finding, LogCode } from "./codes.js";
import type { Beacon, CeremonyEntry, ContributionEntry, Entry, OpeningEntry, SalesEntry, SealEntry, WithdrawalEntry } from "./entries.js";

/** How far a time may lie before the one before it. */
export const timeBackMost = 10 * 60 * 1000;

interface BlockState { seal: SealEntry; approved: boolean; sold: number; roots: Map<number, string>; withdrawn: boolean; opened: boolean }
interface CeremonyState { entry: CeremonyEntry; contributions: ContributionEntry[]; abandoned: boolean }

const sameBeacon = (a: Beacon | undefined, b: Beacon | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.key === b.key && a.round === b.round && a.scheme === b.scheme);

export class RuleBook {
  private readonly definitions = new Map<string, string>(); // names, by hash
  private readonly emissions = new Map<number, { game: string; stake: number; blocks: number }>();
  private readonly places = new Map<string, string>(); // blocks, by emission and position
  private readonly ceremonies = new Map<string, CeremonyState>();
  private readonly blocks = new Map<string, BlockState>();
  private last = 0;

  /** Says what is wrong with the next entry; undefined stands for one that could not be read. */
  follow(entry: Entry | undefined, index: number): Finding<LogCode>[] {
    const where = `entry ${index}`;
    if (entry === undefined) return [{ code: "entry_malformed", where, what: "the entry is not of the form that log.md gives" }];
    const back = entry.at < this.last - timeBackMost;
    this.last = entry.at;
    const wrong = this.wrong(entry);
    if (wrong !== undefined) return [{ code: wrong[0], where, what: `${entry.kind}: ${wrong[1]}` }];
    return back ? [{ code: "time_goes_back", where, what: "its time is more than 10 minutes before that of the entry before" }] : [];
  }

  private wrong(entry: Entry): [LogCode, string] | undefined {
    switch (entry.kind) {
      case "definition":
        this.definitions.set(entry.definition, entry.name);
        return undefined;
      case "emission":
        if (this.emissions.has(entry.emission)) return ["emission_unknown", "a second emission of one number"];
        this.emissions.set(entry.emission, entry);
        return undefined;
      case "ceremony": return this.ceremony(entry);
      case "contribution": return this.contribution(entry);
      case "abandonment": {
        const ceremony = this.ceremonies.get(entry.block);
        if (ceremony === undefined || ceremony.abandoned || this.blocks.has(entry.block)) return ["ceremony_wrong", "there is no ceremony of this block that goes on"];
        ceremony.abandoned = true;
        if (this.places.get(placeOf(ceremony.entry)) === entry.block) this.places.delete(placeOf(ceremony.entry));
        return undefined;
      }
      case "seal": return this.seal(entry);
      default: return this.ofBlock(entry);
    }
  }

  private ceremony(entry: CeremonyEntry): [LogCode, string] | undefined {
    const wrong = this.wrongCeremony(entry);
    if (this.ceremonies.has(entry.block) || this.blocks.has(entry.block)) return wrong; // the first ceremony is the block's
    if (!this.places.has(placeOf(entry))) this.places.set(placeOf(entry), entry.block);
    this.ceremonies.set(entry.block, { entry, contributions: [], abandoned: false });
    return wrong;
  }

  private wrongCeremony(entry: CeremonyEntry): [LogCode, string] | undefined {
    if (!(entry.position < (this.emissions.get(entry.emission)?.blocks ?? 0))) return ["emission_unknown", "no entry before it gives this place"];
    if (this.places.has(placeOf(entry))) return ["place_taken_twice", "the place has a block or a ceremony already"];
    if (this.ceremonies.has(entry.block) || this.blocks.has(entry.block)) return ["ceremony_wrong", "the block has a ceremony or a seal already"];
    return undefined;
  }

  private contribution(entry: ContributionEntry): [LogCode, string] | undefined {
    const ceremony = this.ceremonies.get(entry.block);
    if (ceremony === undefined || ceremony.abandoned) return ["ceremony_wrong", "there is no ceremony of this block"];
    if (this.blocks.has(entry.block)) return ["ceremony_wrong", "the block is sealed already"];
    if (!ceremony.entry.parties.includes(entry.party)) return ["ceremony_wrong", `${entry.party} is no party of the ceremony`];
    if (ceremony.contributions.some(({ party }) => party === entry.party)) return ["ceremony_wrong", `${entry.party} contributed already`];
    ceremony.contributions.push(entry);
    return undefined;
  }

  private seal(entry: SealEntry): [LogCode, string] | undefined {
    const wrong = this.wrongSeal(entry);
    if (this.blocks.has(entry.block)) return wrong; // the first seal is the block's
    this.blocks.set(entry.block, { seal: entry, approved: false, sold: 0, roots: new Map(), withdrawn: false, opened: false });
    if (!this.places.has(placeOf(entry))) this.places.set(placeOf(entry), entry.block);
    return wrong;
  }

  private wrongSeal(entry: SealEntry): [LogCode, string] | undefined {
    if (this.definitions.get(entry.definition) !== entry.game) return ["definition_unknown", "no entry before it published this definition of the game"];
    const emission = this.emissions.get(entry.emission);
    if (emission === undefined || emission.game !== entry.game || emission.stake !== entry.stake || entry.position >= emission.blocks) return ["emission_unknown", "no entry before it gives this emission, game, stake and position"];
    if (this.blocks.has(entry.block)) return ["block_sealed_twice", `block ${entry.block} has a seal already`];
    const holder = this.places.get(placeOf(entry));
    if (holder !== undefined && holder !== entry.block) return ["place_taken_twice", `the place is that of block ${holder}`];
    const ceremony = this.ceremonies.get(entry.block);
    if (ceremony === undefined) {
      return entry.contributions === undefined && entry.beacon === undefined ? undefined : ["ceremony_wrong", "it names contributions or a beacon, and there was no ceremony"];
    }
    if (ceremony.abandoned) return ["ceremony_wrong", "the ceremony of this block was abandoned"];
    if (placeOf(ceremony.entry) !== placeOf(entry)) return ["ceremony_wrong", "the ceremony was for another place"];
    const given = entry.contributions ?? [];
    const complete = given.length === ceremony.entry.parties.length && ceremony.entry.parties.every((party, place) =>
      given[place]!.party === party && ceremony.contributions.some((made) => made.party === party && made.commitment === given[place]!.commitment));
    if (!complete) return ["ceremony_wrong", "its contributions are not those that the parties made"];
    return sameBeacon(entry.beacon, ceremony.entry.beacon) ? undefined : ["ceremony_wrong", "its beacon is not that of the ceremony"];
  }

  private ofBlock(entry: Exclude<Entry, { kind: "definition" | "emission" | "ceremony" | "contribution" | "abandonment" | "seal" }>): [LogCode, string] | undefined {
    const block = this.blocks.get(entry.block);
    if (block === undefined) return ["block_unknown", `block ${entry.block} has no seal before it`];
    switch (entry.kind) {
      case "approval":
        if (block.approved) return ["approval_wrong", "the block is approved already"];
        block.approved = true;
        if (entry.by === block.seal.by) return ["approval_wrong", `${entry.by} dealt the block`];
        return block.opened ? ["approval_wrong", "the block is open already"] : undefined;
      case "jackpot-win": return block.opened ? ["sale_not_allowed", "the block is open already"] : undefined;
      case "opening": return opening(block, entry);
      default: return sales(block, entry);
    }
  }
}

const placeOf = (entry: { emission: number; position: number }): string => `${entry.emission}/${entry.position}`;

function opening(block: BlockState, _: OpeningEntry): [LogCode, string] | undefined {
  if (block.opened) return ["opened_too_early", "the block was opened already"];
  block.opened = true;
  return block.withdrawn || block.sold >= block.seal.size ? undefined : ["opened_too_early", "the block is neither sold out nor withdrawn"];
}

function sales(block: BlockState, entry: SalesEntry | WithdrawalEntry): [LogCode, string] | undefined {
  const wrong = wrongSales(block, entry);
  if (!block.roots.has(entry.sold)) block.roots.set(entry.sold, entry.root);
  block.sold = entry.sold;
  if (entry.kind === "withdrawal") block.withdrawn = true;
  return wrong;
}

function wrongSales(block: BlockState, entry: SalesEntry | WithdrawalEntry): [LogCode, string] | undefined {
  if (!block.approved && (entry.kind === "sales" || entry.sold > 0)) return ["sale_not_allowed", "the block is not approved"];
  if (block.opened) return ["sale_not_allowed", "the block is open already"];
  if (block.withdrawn && (entry.kind === "withdrawal" || entry.sold > block.sold)) return ["sale_not_allowed", "the block was withdrawn"];
  if (entry.sold < block.sold) return ["sales_go_back", `${entry.sold} sold, after ${block.sold}`];
  if (entry.sold > block.seal.size) return ["sales_go_back", `${entry.sold} sold of ${block.seal.size}`];
  const root = block.roots.get(entry.sold);
  if (root !== undefined && root !== entry.root) return ["sales_go_back", `two roots over ${entry.sold} sales`];
  return undefined;
}
