// The page « Vérifier ». A receipt is verified here, and nothing is asked of the server for it; a link and a
// whole block read published files, in a worker.

import { InputError } from "../../../../verify/browser/src/codes.js";
import { readLink } from "../../../../verify/browser/src/link.js";
import { readKey } from "../../../../verify/browser/src/note.js";
import { receiptBytesMost, verifyReceipt } from "../../../../verify/browser/src/receipt.js";
import { blockReport, blockVerdict, message, receiptVerdict, unable, type Voice, type Words } from "./verdict.js";
import type { Job, Told } from "./verifier-worker.js";

function known<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found as T;
}

const main = known("main");
const voice: Voice = {
  words: JSON.parse(main.dataset["words"] ?? "{}") as Words,
  titles: JSON.parse(main.dataset["titles"] ?? "{}") as Words,
  language: document.documentElement.lang,
};
const { words } = voice;
const base = main.dataset["published"] ?? "/public/";

/** The one address that this page makes a worker from, where Trusted Types ask for a policy. */
function workerAddress(): string {
  const address = main.dataset["worker"] ?? "";
  type Factory = { createPolicy(name: string, rules: { createScriptURL(text: string): string }): { createScriptURL(text: string): string } };
  const types = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  return types === undefined ? address : types.createPolicy("talon-verifier", {
    createScriptURL(text) {
      if (text !== address) throw new TypeError("another script");
      return text;
    },
  }).createScriptURL(address);
}

let address: string | undefined;

/** Runs a job in a worker of its own; stop ends it. */
function start(job: Job, tell: (told: Told) => void): () => void {
  address ??= workerAddress();
  const worker = new Worker(address, { type: "module" });
  const end = (told: Told): void => {
    worker.terminate();
    tell(told);
  };
  worker.onmessage = ({ data }: MessageEvent<Told>) => (data.told === "progress" ? tell(data) : end(data));
  worker.onerror = (event) => end({ told: "unable", code: "internal", what: event.message });
  worker.postMessage(job);
  return () => worker.terminate();
}

const keyField = known<HTMLTextAreaElement>("key");

// ---- a receipt ----

const file = known<HTMLInputElement>("receipt-file");
const pasted = known<HTMLTextAreaElement>("receipt-text");
const verdict = known("receipt-verdict");
let stopLink = (): void => {};

function show(place: HTMLElement, ...shown: Node[]): void {
  place.replaceChildren(...shown);
  place.scrollIntoView({ block: "nearest" });
}

const couldNot = (error: unknown): HTMLElement => unable(error instanceof InputError ? error.code : "internal", voice);

async function checkReceipt(source: string | Uint8Array): Promise<void> {
  try {
    show(verdict, receiptVerdict(await verifyReceipt(source, readKey(keyField.value)), voice));
  } catch (error) {
    show(verdict, couldNot(error));
  }
}

/** A link is not the receipt: the worker completes it from the published files, and the receipt is then verified like any other. */
function checkLink(link: string): void {
  show(verdict, message(words["verifier.working"]!));
  stopLink = start({ key: keyField.value, base, link }, (told) => {
    if (told.told === "receipt") void checkReceipt(told.receipt);
    else if (told.told === "unable") show(verdict, unable(told.code, voice));
  });
}

async function checkGiven(): Promise<void> {
  stopLink();
  const [chosen] = file.files ?? [];
  const text = pasted.value.trim();
  if (text !== "") {
    if (readLink(text) !== undefined) checkLink(text);
    else if (/^\S*#|^https?:/.test(text)) show(verdict, unable("link_malformed", voice));
    else await checkReceipt(text);
  } else if (chosen !== undefined) {
    try {
      await checkReceipt(new Uint8Array(await chosen.slice(0, receiptBytesMost + 1).arrayBuffer()));
    } catch {
      show(verdict, unable("file_unreadable", voice));
    }
  } else show(verdict, message(words["verifier.empty"]!));
}

known<HTMLFormElement>("receipt-form").addEventListener("submit", (event) => {
  event.preventDefault();
  void checkGiven();
});
// What was given last is what is checked.
file.addEventListener("change", () => { if ((file.files?.length ?? 0) > 0) pasted.value = ""; });
pasted.addEventListener("input", () => { file.value = ""; });

/** Takes the link of the address; it is checked when the visitor asks for it, for that reads files of this site. */
function takeLink(): void {
  if (readLink(location.hash) === undefined) return;
  pasted.value = location.href;
  file.value = "";
}

// ---- a whole block ----

const id = known<HTMLInputElement>("block-id");
const folder = known<HTMLInputElement>("folder");
const fromFolder = known<HTMLInputElement>("source-folder");
const blockButton = known<HTMLButtonElement>("block-check");
const stopButton = known<HTMLButtonElement>("block-stop");
const progress = known("block-progress");
const bar = known<HTMLProgressElement>("block-bar");
const stage = known("block-stage");
const outcome = known("block-verdict");
const report = known("block-report");
let stopBlock = (): void => {};

// How much of the whole each stage is, roughly, so that the bar runs evenly.
const shares = { log: [0, 5], units: [5, 70], tree: [75, 5], sales: [80, 20] } as const;

function running(runs: boolean): void {
  progress.hidden = !runs;
  stopButton.hidden = !runs;
  blockButton.hidden = runs;
}

function finish(...said: Node[]): void {
  const hadFocus = document.activeElement === stopButton;
  running(false);
  if (hadFocus) blockButton.focus();
  show(outcome, ...said);
}

function told(news: Told): void {
  if (news.told === "progress") {
    const [from, share] = shares[news.stage];
    bar.value = from + share * news.done / Math.max(1, news.total);
    const said = { log: words["verifier.stage.log"], units: words["verifier.stage.units"], tree: words["verifier.stage.tree"], sales: words["verifier.stage.sales"] }[news.stage]!;
    stage.textContent = news.stage === "tree" ? said : `${said} ${news.done.toLocaleString(voice.language)} / ${news.total.toLocaleString(voice.language)}`;
  } else if (news.told === "unable") finish(unable(news.code, voice));
  else if (news.told === "report") {
    report.replaceChildren(...(news.report === undefined ? [] : blockReport(news.report, voice)));
    finish(blockVerdict(news.findings, news.report?.notes ?? [], voice));
  }
}

known<HTMLFormElement>("block-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const block = id.value.trim().toLowerCase();
  outcome.replaceChildren();
  report.replaceChildren();
  const files = fromFolder.checked ? [...folder.files ?? []] : undefined;
  if (!/^[0-9a-f]{32}$/.test(block)) finish(message(words["verifier.block.empty"]!));
  else if (files?.length === 0) finish(message(words["verifier.folder.empty"]!));
  else {
    bar.value = 0;
    stage.textContent = words["verifier.working"]!;
    running(true);
    stopBlock = start(files === undefined ? { key: keyField.value, base, block } : { key: keyField.value, base, block, files }, told);
  }
});
stopButton.addEventListener("click", () => {
  stopBlock();
  finish(message(words["verifier.block.stopped"]!));
});
for (const source of document.getElementsByName("source")) {
  source.addEventListener("change", () => { known("folder-field").hidden = !fromFolder.checked; });
}

// A browser may fill the fields again when the page comes back.
known("folder-field").hidden = !fromFolder.checked;
takeLink();
addEventListener("hashchange", takeLink);
known("verifier").hidden = false;
