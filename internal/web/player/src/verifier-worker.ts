// What takes long on the page « Vérifier » runs here, so that the page stays quick: a whole block, and the
// completion of a link.

import { checkBlock, type BlockReport } from "../../../../verify/browser/src/audit.js";
import { InputError, type Finding } from "../../../../verify/browser/src/codes.js";
import { completeLink, readLink } from "../../../../verify/browser/src/link.js";
import { checkLog } from "../../../../verify/browser/src/log.js";
import { readKey } from "../../../../verify/browser/src/note.js";
import { chosen, published } from "./published.js";

/** What the page asks for. Files are a folder's, or missing: then those of the site are read. */
export type Job = { key: string; base: string; files?: File[] } & ({ block: string } | { link: string });

/** What it is told. */
export type Told =
  | { told: "progress"; stage: "log" | "units" | "tree" | "sales"; done: number; total: number }
  | { told: "receipt"; receipt: string }
  | { told: "report"; report: BlockReport | undefined; findings: Finding<string>[] }
  | { told: "unable"; code: string; what: string };

const tell = (told: Told): void => { postMessage(told); };

async function work(job: Job): Promise<void> {
  const key = readKey(job.key);
  const files = job.files === undefined ? published(job.base) : chosen(job.files);
  const progress = (done: number, total: number): void => tell({ told: "progress", stage: "log", done, total });
  if ("link" in job) {
    const link = readLink(job.link);
    if (link === undefined) throw new InputError("link_malformed", "the link cannot be read");
    tell({ told: "receipt", receipt: JSON.stringify(await completeLink(link, files, { key, progress })) });
    return;
  }
  const log = await checkLog(files, { key, progress });
  if (log.checkpoint === undefined || log.findings.some(({ code }) => code === "log_unreadable")) {
    tell({ told: "report", report: undefined, findings: log.findings });
    return;
  }
  const report = await checkBlock(files, log, job.block, (stage, done, total) => tell({ told: "progress", stage, done, total }));
  tell({ told: "report", report, findings: [...log.findings, ...report.findings] });
}

addEventListener("message", (event: MessageEvent<Job>) => {
  work(event.data).catch((error: unknown) => {
    if (error instanceof InputError) tell({ told: "unable", code: error.code, what: error.message });
    else tell({ told: "unable", code: "internal", what: error instanceof Error ? error.message : String(error) });
  });
});
