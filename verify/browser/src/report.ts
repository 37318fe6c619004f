// A report as one page of text.

import type { BlockReport } from "./audit.js";
import type { Finding } from "./codes.js";
import type { Verdict } from "./receipt.js";

/** Money of ten-thousandths with two decimals, or four where it has them. */
export function money(amount: number): string {
  const units = Math.floor(amount / 10_000);
  const rest = String(amount % 10_000).padStart(4, "0");
  return `${units}.${rest.endsWith("00") ? rest.slice(0, 2) : rest}`;
}

export const findingsText = (findings: Finding<string>[]): string =>
  findings.map(({ code, where, what }) => `  ${code}, ${where}: ${what}\n`).join("");

export function blockText(report: BlockReport): string {
  const { block, game, stake, size, sold, tiers, wins, findings, notes } = report;
  const cells = [["prize", "table", "dealt", "sold", "unsold"], ...tiers.map((tier) => [money(tier.amount), tier.table, tier.dealt, tier.sold, tier.dealt - tier.sold].map(String))];
  const table = cells.map((row) => "  " + row.map((cell) => cell.padStart(12)).join("") + "\n").join("");
  return `block ${block}\n  game ${game}, stake ${stake}\n  ${size} units, ${sold} sold, ${size - sold} unsold\n${tiers.length > 0 ? table : ""}`
    + `  prizes of units sold ${money(report.prizes_sold)}, unsold ${money(report.prizes_unsold)}${wins > 0 ? `; ${wins} wins of the jackpot` : ""}\n`
    + notes.map(({ what }) => `  note: ${what}\n`).join("")
    + (findings.length === 0 ? "  nothing wrong was found\n" : findingsText(findings));
}

export function receiptText({ outcome, code, where, receipt, seal, win }: Verdict): string {
  if (outcome === "refused") return `refused: ${code}, ${where}\n`;
  const said = `${outcome}: unit ${receipt!.unit.index} of block ${seal!.block}, ${seal!.game}, prize ${money(receipt!.unit.prize)}, play ${receipt!.play}\n`;
  return said + (win === undefined ? "" : `  jackpot ${win.jackpot}: ${money(win.amount)}\n`);
}
