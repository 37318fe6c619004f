// How the page « Vérifier » shows what was found. The state is told by a word, a sign and a colour.

import type { BlockReport, Note } from "../../../../verify/browser/src/audit.js";
import type { Finding } from "../../../../verify/browser/src/codes.js";
import type { Verdict } from "../../../../verify/browser/src/receipt.js";
import { money } from "../../../../verify/browser/src/report.js";

export type Words = Record<string, string>;

/** What words and numbers are taken from. */
export interface Voice { words: Words; titles: Words; language: string }

function element<K extends keyof HTMLElementTagNameMap>(name: K, text = "", kind = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (text !== "") made.textContent = text;
  if (kind !== "") made.className = kind;
  return made;
}

const signs = { good: "M12 23l7 7 14-16", alert: "M14 14l16 16M30 14L14 30", wait: "M22 12v10l7 5" };

/** A circle with a tick, a cross, or the hands of a clock. */
function sign(kind: keyof typeof signs): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const path = document.createElementNS(space, "path");
  for (const [name, value] of Object.entries({ viewBox: "0 0 44 44", width: "44", height: "44", "aria-hidden": "true", focusable: "false", "data-sign": kind })) svg.setAttribute(name, value);
  for (const [name, value] of Object.entries({ d: `M22 3a19 19 0 1 0 0 38a19 19 0 1 0 0-38Z${signs[kind]}`, fill: "none", stroke: "currentColor", "stroke-width": "4", "stroke-linecap": "round", "stroke-linejoin": "round" })) path.setAttribute(name, value);
  svg.append(path);
  return svg;
}

/** A notice: its state, its word and what it says. */
function notice(kind: keyof typeof signs, heading: string, ...inside: Node[]): HTMLElement {
  const made = element("section", "", `notice verdict ${kind === "wait" ? "" : kind}`.trim());
  made.dataset["state"] = kind;
  const body = element("div");
  body.append(element("h3", heading), ...inside);
  made.append(sign(kind), body);
  return made;
}

function facts(rows: [string | undefined, string, string?][]): HTMLElement {
  const list = element("dl", "", "facts");
  for (const [term, value, kind] of rows) {
    const pair = element("div");
    pair.append(element("dt", term), element("dd", value, kind));
    list.append(pair);
  }
  return list;
}

/** Money as the page's language writes it, from whole numbers only. */
export function amount(tenThousandths: number, language: string): string {
  const [units, decimals] = money(tenThousandths).split(".");
  const grouped = BigInt(units!).toLocaleString(language);
  return language === "en" ? `€${grouped}.${decimals}` : `${grouped},${decimals}\u00a0€`;
}

const count = (n: number, language: string): string => n.toLocaleString(language);

function moment(at: number, language: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : "fr-FR", { dateStyle: "long", timeStyle: "medium", timeZone: "Europe/Paris" }).format(date);
}

/** Something that could not be checked. */
export function unable(code: string, { words }: Voice): HTMLElement {
  return notice("wait", words["verifier.unable"]!, element("p", words["verifier.input." + code] ?? words["verifier.input.internal"]!));
}

/** A plain message. */
export const message = (text: string): HTMLElement => element("p", text, "hint");

/** The verdict on a receipt. */
export function receiptVerdict(verdict: Verdict, { words, titles, language }: Voice): HTMLElement {
  const { receipt, seal, win, code, where } = verdict;
  if (verdict.outcome === "refused") {
    const rows: [string | undefined, string, string?][] = [[words["verifier.fact.code"], code!, "digest"]];
    if (where !== undefined) rows.unshift([words["verifier.fact.part"], words["verifier.part." + where]!]);
    return notice("alert", words["verifier.refused"]!, element("p", words["verifier.code." + code]!), facts(rows));
  }
  const { unit, play, at } = receipt!;
  const rows: [string | undefined, string, string?][] = [
    [words["verifier.fact.game"], titles[seal!.game] ?? seal!.game],
    [words["verifier.fact.prize"], amount(unit.prize, language)],
    [words["verifier.fact.at"], moment(at, language)],
    [words["verifier.fact.place"], `${count(unit.index + 1, language)} / ${count(seal!.size, language)}`],
    [words["verifier.fact.block"], seal!.block, "digest"],
    [words["verifier.fact.play"], play, "digest"],
    [words["verifier.fact.layout"], unit.layout, "digest"],
  ];
  if (win !== undefined) rows.splice(2, 0, [words["verifier.fact.jackpot"], `${titles[win.jackpot] ?? win.jackpot}, ${amount(win.amount, language)}`]);
  const good = verdict.outcome === "complete";
  const said = good ? [words["verifier.complete"]!, words["verifier.complete.text"]!] : [words["verifier.provisional"]!, words["verifier.provisional.text"]!];
  return notice(good ? "good" : "wait", said[0]!, element("p", said[1]), element("p", words["verifier.not.proven"], "hint"), facts(rows));
}

/** The verdict on a block or on the log: all findings, each with its code and place. */
export function blockVerdict(findings: Finding<string>[], notes: Note[], { words }: Voice): HTMLElement {
  const said = { beacon_unchecked: words["verifier.beacon.unchecked"], plays_unchecked: words["verifier.plays.unchecked"], units_unchecked: words["verifier.units.unchecked"] };
  const unchecked = notes.map(({ code }) => element("p", said[code], "hint"));
  if (findings.length === 0) return notice("good", words["verifier.block.good"]!, element("p", words["verifier.block.good.text"]), ...unchecked);
  const list = element("ul", "", "found");
  for (const { code, where } of findings.slice(0, 100)) {
    const item = element("li", `${words["verifier.code." + code] ?? ""} `);
    item.dataset["code"] = code;
    item.append(element("code", `${code}, ${where}`, "digest"));
    list.append(item);
  }
  return notice("alert", words["verifier.block.bad"]!, element("p", words["verifier.block.bad.text"]), list, ...unchecked);
}

/** The page of a block: counts, and the table of its tiers. */
export function blockReport(report: BlockReport, { words, titles, language }: Voice): Node[] {
  const { block, game, size, sold, tiers, wins } = report;
  const rows: [string | undefined, string, string?][] = [
    [words["verifier.fact.game"], titles[game] ?? game], [words["verifier.fact.block"], block, "digest"],
    [words["verifier.units"], count(size, language)], [words["verifier.sold"], count(sold, language)],
    [words["verifier.prizes.sold"], amount(report.prizes_sold, language)], [words["verifier.prizes.unsold"], amount(report.prizes_unsold, language)],
  ];
  if (wins > 0) rows.push([words["verifier.wins"], count(wins, language)]);
  if (tiers.length === 0) return [facts(rows)];
  const table = element("table", "", "figures");
  const head = element("tr");
  for (const title of [words["verifier.table.prize"], words["verifier.table.count"], words["verifier.table.dealt"], words["verifier.table.sold"], words["verifier.table.unsold"]]) {
    const cell = element("th", title);
    cell.scope = "col";
    head.append(cell);
  }
  const [thead, tbody] = [element("thead"), element("tbody")];
  thead.append(head);
  for (const tier of tiers) {
    const row = element("tr");
    const prize = element("th", amount(tier.amount, language));
    prize.scope = "row";
    row.append(prize, ...[tier.table, tier.dealt, tier.sold, tier.dealt - tier.sold].map((n) => element("td", count(n, language))));
    tbody.append(row);
  }
  table.append(element("caption", words["verifier.table"]), thead, tbody);
  const scroll = element("div", "", "scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", words["verifier.table"]!);
  scroll.append(table);
  return [facts(rows), scroll];
}
