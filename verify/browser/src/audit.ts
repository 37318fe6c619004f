// A block that is open is checked whole: publication.md, section 3.

import { hex, joined, same, text, unhex } from "./bytes.js";
import { InputError, type BlockCode, type Finding } from "./codes.js";
import { DefinitionError, TableError, readDefinition, type Definition } from "./definition.js";
import { Aes256 } from "./aes.js";
import { Dealer } from "./deal.js";
import type { OpeningEntry, SalesEntry, SealEntry, WinEntry, WithdrawalEntry } from "./entries.js";
import { definitionPath, salesPath, tilesPath, type Files } from "./files.js";
import { commitment, definitionHash, mixed, Plays, SaleLeaves, shareCommitment } from "./hashes.js";
import { canonical, JsonError, parse, type Json } from "./json.js";
import type { Log } from "./log.js";
import { timeBackMost } from "./rules.js";
import { sha256, wordsOf } from "./sha256.js";
import { keyOf } from "./stream.js";
import { GrowingTree, raise, rootOf } from "./tree.js";

export interface TierReport {
  /** Ten-thousandths. */
  amount: number;
  /** Counts: of the definition, in the block, and among the units sold. */
  table: number;
  dealt: number;
  sold: number;
}

export interface BlockReport {
  block: string;
  game: string;
  stake: number;
  size: number;
  sold: number;
  prizes_sold: number;
  prizes_unsold: number;
  tiers: TierReport[];
  /** Participations that win and were sold. */
  wins: number;
  findings: Finding<BlockCode>[];
  /** What was not checked, and why. */
  notes: Note[];
}

export interface Note { code: "beacon_unchecked" | "plays_unchecked" | "units_unchecked"; what: string }

/** After how many units or sales progress is told. */
const progressEach = 20_000;

export type Stage = "units" | "tree" | "sales";
export type Progress = (stage: Stage, done: number, total: number) => void;

/** What the log says of one block. */
interface Story {
  sealIndex: number;
  seal: SealEntry;
  approval: number | undefined;
  opening: OpeningEntry;
  sales: (SalesEntry | WithdrawalEntry)[];
  wins: WinEntry[];
}

function storyOf(log: Log, block: string): Story {
  const story: Partial<Story> & Pick<Story, "sales" | "wins"> = { sales: [], wins: [] };
  log.entries.forEach(({ entry }, index) => {
    if (entry === undefined || !("block" in entry) || entry.block !== block) return;
    if (entry.kind === "seal" && story.seal === undefined) {
      story.seal = entry;
      story.sealIndex = index;
    } else if (entry.kind === "approval") story.approval ??= entry.at;
    else if (entry.kind === "opening") story.opening ??= entry;
    else if (entry.kind === "sales" || entry.kind === "withdrawal") story.sales.push(entry);
    else if (entry.kind === "jackpot-win") story.wins.push(entry);
  });
  if (story.seal === undefined) throw new InputError("block_not_open", `the log has no seal of block ${block}`);
  if (story.opening === undefined) throw new InputError("block_not_open", `block ${block} is not open: the log has no opening of it`);
  return { approval: undefined, ...story } as Story;
}

/** Checks one block of a log that was read. It throws an InputError when the log does not open the block. */
export async function checkBlock(files: Files, log: Log, block: string, progress: Progress = () => {}): Promise<BlockReport> {
  const story = storyOf(log, block);
  return new Audit(files, log, story, progress).run();
}

class Audit {
  private readonly report: BlockReport;
  private readonly id: Uint8Array;
  private readonly secret: Uint8Array;

  constructor(private readonly files: Files, private readonly log: Log, private readonly story: Story, private readonly progress: Progress) {
    const { seal, sales, opening } = story;
    this.id = unhex(seal.block);
    this.secret = unhex(opening.secret);
    const sold = Math.min(Math.max(0, ...sales.map((entry) => entry.sold)), seal.size);
    this.report = { block: seal.block, game: seal.game, stake: seal.stake, size: seal.size, sold, prizes_sold: 0, prizes_unsold: 0, tiers: [], wins: 0, findings: [], notes: [] };
  }

  private find(code: BlockCode, where: string, what: string): void { this.report.findings.push({ code, where, what }); }

  private note(code: Note["code"], what: string): void { this.report.notes.push({ code, what }); }

  async run(): Promise<BlockReport> {
    const definition = await this.definition();
    if (!same(commitment(this.id, this.secret), unhex(this.story.seal.commitment))) this.find("commitment_wrong", "opening", "the secret is not the one that the seal commits to");
    this.contributions();
    this.derivable();
    const dealt = definition === undefined || this.report.findings.some(({ code }) => code.startsWith("definition_")) ? undefined : this.units(definition);
    if (dealt === undefined) this.note("units_unchecked", "without the sealed definition no unit can be dealt: units, prizes and wins were not checked");
    await this.tree(dealt?.leaves);
    await this.sales();
    if (dealt !== undefined && definition !== undefined) this.wins(dealt.winners, definition);
    return this.report;
  }

  private async definition(): Promise<Definition | undefined> {
    const { seal } = this.story;
    const path = definitionPath(seal.definition);
    const bytes = await this.files.read(path);
    if (bytes === undefined) {
      this.find("definition_missing", path, "the file is missing");
      return undefined;
    }
    const wrong = (what: string): void => this.find("definition_wrong", path, what);
    let document: Json;
    try {
      document = parse(text(bytes) ?? "");
      const definition = readDefinition(document, seal.stake);
      if (hex(definitionHash(bytes)) !== seal.definition) wrong("its hash is not the one that the seal names");
      else if (canonical(document) !== text(bytes)) wrong("it is not canonical JSON");
      else if (definition.size !== seal.size) wrong(`a block has ${definition.size} units, and the seal says ${seal.size}`);
      else if (definition.price !== seal.price) wrong("its price is not the seal's");
      else if (definition.name !== seal.game) wrong(`it is of ${definition.name}, and the seal of ${seal.game}`);
      return definition;
    } catch (error) {
      if (!(error instanceof JsonError) && !(error instanceof DefinitionError)) throw error;
      if (error instanceof TableError) this.find("prizes_not_table", path, error.message);
      else wrong(error.message);
      return undefined;
    }
  }

  /** Step 3: the secret is mixed from the shares that were committed to. */
  private contributions(): void {
    const { seal, opening } = this.story;
    const promised = seal.contributions ?? [];
    const shares = opening.shares ?? [];
    const given: { party: string; share: Uint8Array }[] = [];
    for (const { party, commitment: made } of promised) {
      const share = shares.find((one) => one.party === party)?.share;
      if (share === undefined) this.find("share_wrong", party, "the share is missing");
      else if (hex(shareCommitment(this.id, party, unhex(share))) !== made) this.find("share_wrong", party, "the share is not the one that was committed to");
      else given.push({ party, share: unhex(share) });
    }
    for (const { party } of shares) if (!promised.some((one) => one.party === party)) this.find("share_wrong", party, "nobody of this name committed to a share");
    if (seal.beacon !== undefined) {
      if (opening.signature === undefined) {
        this.find("beacon_wrong", "opening", "the signature of the beacon's round is missing");
        return;
      }
      this.note("beacon_unchecked", "the beacon's signature was not verified: this checker has no BLS; only the mix of it was checked");
    }
    if (promised.length === 0 || given.length < promised.length) return;
    const beacon = seal.beacon === undefined ? new Uint8Array(0) : sha256(unhex(opening.signature!));
    if (!same(mixed(this.id, given, beacon), this.secret)) this.find("mix_wrong", "opening", "the secret is not mixed from the shares");
  }

  /** Step 4: whatever was published before the seal gives no secret away. */
  private derivable(): void {
    const { seal, sealIndex, opening } = this.story;
    const secrets = new Map([[opening.secret, "the secret"], ...(opening.shares ?? []).map(({ party, share }) => [share, `the share of ${party}`] as const)]);
    const told = new Set<string>();
    const try1 = (x: Uint8Array, from: string): void => {
      for (const candidate of [hex(x), hex(sha256(x))]) {
        const found = secrets.get(candidate);
        if (found === undefined || told.has(found)) continue;
        told.add(found);
        this.find("secret_derivable", found, `it follows from ${from}`);
      }
    };
    const definition = unhex(seal.definition);
    try1(this.id, "the identifier of the block");
    try1(definition, "the hash of the definition");
    try1(joined(this.id, definition), "the identifier of the block and the hash of the definition");
    try1(unhex(seal.commitment), "the commitment of the seal");
    try1(unhex(seal.root), "the root of the seal");
    for (let index = 0; index < sealIndex; index++) {
      const { source, leaf, entry } = this.log.entries[index]!;
      try1(source, `entry ${index}`);
      try1(leaf, `the leaf of entry ${index}`);
      if (entry?.kind === "opening") try1(unhex(entry.secret), `the secret that entry ${index} opened`);
    }
  }

  /** Step 5. Leaves are missing where a unit could not be dealt as it should be; so is all when there is no dealer. */
  private units(definition: Definition): { leaves: Int32Array | undefined; winners: Set<number> } | undefined {
    const { size, sold } = this.report;
    let dealer: Dealer;
    try {
      dealer = new Dealer(definition, this.id, this.secret, size);
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      this.find("layout_not_prize", definitionPath(this.story.seal.definition), error.message);
      return undefined;
    }
    const leaves = new Int32Array(8 * size);
    const winners = new Set<number>();
    const counts = definition.tiers.map(() => ({ dealt: 0, sold: 0 }));
    let unread = 0;
    for (let index = 0; index < size; index++) {
      const unit = dealer.deal(index, leaves, 8 * index);
      if (!unit.reads && unread++ === 0) this.find("layout_not_prize", `unit ${index}`, unit.laid ? "the layout does not read as the prize" : "no layout was found in 1000 attempts");
      if (unit.tier >= 0) {
        counts[unit.tier]!.dealt++;
        if (index < sold) counts[unit.tier]!.sold++;
      } else if (definition.kind === "jackpot" && unit.layout[0] === 1) winners.add(index);
      if (index % progressEach === 0) this.progress("units", index, size);
    }
    this.progress("units", size, size);
    this.prizes(definition, counts);
    return { leaves: unread === 0 ? leaves : undefined, winners };
  }

  private prizes(definition: Definition, counts: { dealt: number; sold: number }[]): void {
    this.report.tiers = definition.tiers.map(({ amount, count }, tier) => ({ amount, table: count, ...counts[tier]! }));
    const wrong = this.report.tiers.find(({ table, dealt }) => dealt !== table);
    if (wrong !== undefined) this.find("prizes_not_table", `prize ${wrong.amount}`, `${wrong.dealt} were dealt, and the table has ${wrong.table}`);
    for (const { amount, dealt, sold } of this.report.tiers) {
      this.report.prizes_sold += amount * sold;
      this.report.prizes_unsold += amount * (dealt - sold);
    }
  }

  /** Step 6. The leaves are used up. Without them the published ones are compared with the seal alone. */
  private async tree(leaves: Int32Array | undefined): Promise<void> {
    const { size, root, block } = this.story.seal;
    const path = tilesPath(block);
    this.progress("tree", 0, 1);
    const bytes = await this.files.read(path);
    const right = bytes?.length === 32 * hashesOf(size);
    const published = bytes === undefined || !right ? undefined : wordsOf(bytes);
    const differing = leaves === undefined || published === undefined ? undefined : compare(leaves, published, 0, size);
    const agree = differing?.count === 0;
    const own = leaves === undefined ? undefined : this.levels(leaves, agree ? published : undefined);
    if (own !== undefined && hex(own.root) !== root) this.find("root_wrong", "seal", "the units do not give the root of the seal");
    if (bytes === undefined) this.find("tiles_missing", path, "the file is missing");
    else if (published === undefined) this.find("tiles_wrong", path, `the file has ${bytes.length} bytes, and the hashes of the block have ${32 * hashesOf(size)}`);
    else {
      if (differing !== undefined && !agree) this.find("leaf_wrong", `unit ${differing.first}`, `the leaf of ${differing.count === 1 ? "this unit" : `${differing.count} units, this one the first,`} is not the published one`);
      // The published leaves may still be a tree of their own: of another block, or of another root.
      const theirs = own !== undefined && agree ? own : this.levels(published.slice(0, 8 * size), published);
      if (hex(theirs.root) !== root) this.find("tiles_wrong", path, "its leaves do not give the root of the seal");
      else if (theirs.wrong !== undefined) this.find("tiles_wrong", path, theirs.wrong);
    }
    this.progress("tree", 1, 1);
  }

  /** The root over leaves, comparing the higher levels of published tiles on the way. */
  private levels(words: Int32Array, published: Int32Array | undefined): { root: Uint8Array; wrong: string | undefined } {
    const { size } = this.story.seal;
    let wrong: string | undefined;
    let count = size;
    let full = size; // hashes of the level that stand over full subtrees
    let from = size; // where the level begins in the file, in hashes
    for (let height = 1; count > 1; height++) {
      count = raise(words, count);
      if (height % 8 !== 0) continue;
      full = Math.floor(full / 256);
      const differing = published === undefined ? undefined : compare(words, published, from, full);
      if (differing !== undefined && differing.count > 0) wrong ??= `hash ${differing.first} of level ${height / 8} is not that of the hashes below it`;
      from += full;
    }
    return { root: rootOf(words, 1), wrong };
  }

  /** Steps 7 and 8. */
  private async sales(): Promise<void> {
    const { seal, sales: entries } = this.story;
    const { sold } = this.report;
    if (sold === 0 && entries.length === 0) return;
    const path = salesPath(seal.block);
    const bytes = await this.files.read(path) ?? new Uint8Array(0);
    const held = Math.min(sold, Math.floor(bytes.length / 24));
    if (held < sold) this.find("sales_missing", path, `the file has ${held} sales, and ${sold} were sold`);
    const participations = this.ofParticipations();
    if (participations) this.note("plays_unchecked", "participations are sold by the plays of their units, which are in other blocks: only a play that comes twice would be found");
    const seen = new Set<string>();
    const salts = new Aes256(keyOf(this.secret, this.id, "salt"));
    const salt = new Int32Array(4);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const plays = new Plays(this.id);
    const leaves = new SaleLeaves(this.id);
    const tree = new GrowingTree();
    const play = new Int32Array(8);
    const leaf = new Int32Array(8);
    const others = new Tally();
    const late = new Tally();
    const windows = new Windows(entries, this.story.approval);
    let before = -Infinity;
    this.rootsAt(entries, tree);
    for (let index = 0; index < held; index++) {
      const at = 24 * index;
      if (participations) {
        const given = hex(bytes.subarray(at, at + 16));
        if (seen.has(given)) others.add(index);
        seen.add(given);
      } else {
        salts.encrypt(0, 0, 0, index, salt);
        plays.hash(index, salt, 0, play);
        for (let word = 0; word < 4; word++) if (view.getInt32(at + 4 * word) !== play[word]) { others.add(index); break; }
      }
      const time = view.getUint32(at + 16) * 2 ** 32 + view.getUint32(at + 20);
      if (!windows.allow(index, time) || time < before - timeBackMost) late.add(index);
      before = time;
      leaves.hash(index, bytes, at, leaf);
      tree.add(leaf, 0);
      this.rootsAt(entries, tree);
      if (index % progressEach === 0) this.progress("sales", index, sold);
    }
    this.progress("sales", sold, sold);
    if (others.count > 0) this.find("sale_not_of_unit", `sale ${others.first}`, `the play of ${others.said} is ${participations ? "that of a sale before" : "not that of the unit of its index"}`);
    for (const root of this.wrongRoots) this.find("sales_root_wrong", root, "the root of this entry is not that of the sales");
    if (late.count > 0) this.find("sale_late", `sale ${late.first}`, `the time of ${late.said} is not between those of the entries around it, or goes back`);
  }

  /** Whether the block is of participations, as the log says of its definition. */
  private ofParticipations(): boolean {
    const { definition } = this.story.seal;
    return this.log.entries.some(({ entry }) => entry?.kind === "definition" && entry.definition === definition && entry.type === "jackpot");
  }

  private readonly wrongRoots: string[] = [];
  private rootsFrom = 0; // in order
  private inOrder: (SalesEntry | WithdrawalEntry)[] | undefined;

  /** Compares the roots of the entries that cover exactly the sales so far. */
  private rootsAt(entries: (SalesEntry | WithdrawalEntry)[], tree: GrowingTree): void {
    this.inOrder ??= [...entries].sort((a, b) => a.sold - b.sold);
    for (; this.rootsFrom < this.inOrder.length && this.inOrder[this.rootsFrom]!.sold === tree.size; this.rootsFrom++) {
      const entry = this.inOrder[this.rootsFrom]!;
      if (hex(tree.root()) !== entry.root) this.wrongRoots.push(`${entry.kind} of ${entry.sold}`);
    }
  }

  /** Step 9. */
  private wins(winners: Set<number>, definition: Definition): void {
    const { wins, seal } = this.story;
    const { sold } = this.report;
    const told = new Set<number>();
    for (const win of wins) {
      const where = `jackpot-win of ${win.index}`;
      if (!winners.has(win.index) || win.index >= sold) this.find("win_wrong", where, "this participation does not win, or was not sold");
      else if (told.has(win.index)) this.find("win_wrong", where, "a second entry for one participation");
      else if (win.jackpot !== seal.game) this.find("win_wrong", where, `the entry is of ${win.jackpot}`);
      else if (BigInt(win.amount) !== potAfter(definition, win.since)) this.find("win_wrong", where, "the amount is not the starting amount and the shares of the participations since");
      told.add(win.index);
    }
    for (const index of winners) {
      if (index >= sold) continue;
      this.report.wins++;
      if (!told.has(index)) this.find("win_missing", `participation ${index}`, "it wins and was sold, and no entry says so");
    }
  }
}

/** The pot after so many participations, up to a whole cent, in ten-thousandths. */
function potAfter(definition: Definition, since: number): bigint {
  const exact = BigInt(definition.start) + BigInt(since) * BigInt(definition.share);
  return (exact + 99n) / 100n * 100n;
}

/** How many hashes the tiles of a block of a size have. */
export function hashesOf(size: number): number {
  let sum = 0;
  for (let level = size; level > 0; level = Math.floor(level / 256)) sum += level;
  return sum;
}

/** How many hashes differ, from a place of the published ones on, and the first. */
function compare(words: Int32Array, published: Int32Array, from: number, count: number): { count: number; first: number } {
  const tally = new Tally();
  for (let index = 0; index < count; index++) {
    for (let word = 0; word < 8; word++) {
      if (words[8 * index + word] !== published[8 * (from + index) + word]) {
        tally.add(index);
        break;
      }
    }
  }
  return tally;
}

/** Counts places and remembers the first. */
class Tally {
  count = 0;
  first = -1;
  add(index: number): void { if (this.count++ === 0) this.first = index; }
  get said(): string { return this.count === 1 ? "this sale" : `${this.count} sales, this one the first,`; }
}

/** When a sale may have happened: before the entry that first covers it, and at most 10 minutes before the entry before that one. */
class Windows {
  private readonly covers: { sold: number; from: number; to: number }[] = [];
  private current = 0;

  constructor(entries: (SalesEntry | WithdrawalEntry)[], approval: number | undefined) {
    let sold = 0;
    let before = approval ?? -Infinity;
    for (const entry of entries) {
      if (entry.sold > sold) {
        this.covers.push({ sold: entry.sold, from: before - timeBackMost, to: entry.at });
        sold = entry.sold;
      }
      before = entry.at;
    }
  }

  /** Asked in the order of index. */
  allow(index: number, time: number): boolean {
    while (this.covers[this.current]!.sold <= index) this.current++;
    const { from, to } = this.covers[this.current]!;
    return time >= from && time <= to;
  }
}

