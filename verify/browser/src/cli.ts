// The command: publication.md, section 5. It ends with 0 when nothing is wrong, 1 when something is, 2 when its
// input cannot be used.

import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

import { checkBlock } from "./audit.js";
import { hex, isHex, utf8 } from "./bytes.js";
import { InputError } from "./codes.js";
import type { Files } from "./files.js";
import { completeLink, readLink } from "./link.js";
import { checkLog, type LogOptions } from "./log.js";
import { noteText, readKey, type Key } from "./note.js";
import { verifyReceipt } from "./receipt.js";
import { blockText, findingsText, receiptText } from "./report.js";
import { runVectors } from "./vectors.js";

const usage = `cli.mjs receipt FILE --key KEY [--witness KEY] [--json]
cli.mjs log FOLDER --key KEY [--older FILE] [--witness KEY] [--json]
cli.mjs block FOLDER BLOCK --key KEY [--witness KEY] [--json]
cli.mjs vectors FOLDER
KEY is the text of a public key, or a file that holds it. A FILE of a receipt may also hold a link; then the
published files are needed: cli.mjs receipt FILE --folder FOLDER --key KEY.
`;

/** The files of a folder. */
function folder(path: string): Files {
  const existing = async (name: string): Promise<string | undefined> => {
    const whole = join(path, ...name.split("/"));
    try {
      return (await stat(whole)).isFile() ? whole : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    async read(name) {
      const whole = await existing(name);
      return whole === undefined ? undefined : Uint8Array.from(await readFile(whole));
    },
    async part(name, from, length) {
      const whole = await existing(name);
      if (whole === undefined) return undefined;
      const handle = await open(whole);
      try {
        const bytes = new Uint8Array(length);
        const { bytesRead } = await handle.read(bytes, 0, length, from);
        return bytes.slice(0, bytesRead);
      } finally {
        await handle.close();
      }
    },
  };
}

/** The files of a publication, or of the folder of its log alone. */
async function publication(path: string): Promise<Files> {
  if (!await isFolder(path)) throw new InputError("file_unreadable", `${path} is no folder`);
  const files = folder(path);
  if (await isFolder(join(path, "log")) || await files.read("checkpoint") === undefined) return files;
  const within = (name: string): string => name.replace(/^log\//, "");
  return { read: (name) => files.read(within(name)), part: (name, from, length) => files.part(within(name), from, length) };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

async function fileOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new InputError("file_unreadable", `${path} cannot be read: ${String(error)}`);
  }
}

async function keyOf(given: string): Promise<Key> {
  let isFile = false;
  try {
    isFile = (await stat(given)).isFile();
  } catch { /* the text itself */ }
  return readKey(isFile ? noteText(await fileOf(given)) : given);
}

interface Arguments { command: string; places: string[]; options: Map<string, string[]>; json: boolean }

function read(argv: string[]): Arguments {
  const read: Arguments = { command: argv[0] ?? "", places: [], options: new Map(), json: false };
  for (let at = 1; at < argv.length; at++) {
    const argument = argv[at]!;
    const [name, inline] = argument.split(/=(.*)/s) as [string, string | undefined];
    if (argument === "--json") read.json = true;
    else if (["--key", "--witness", "--older", "--folder"].includes(name)) {
      const value = inline ?? argv[++at];
      if (value === undefined) throw new InputError("file_unreadable", `${name} needs a value\n${usage}`);
      read.options.set(name, [...read.options.get(name) ?? [], value]);
    } else if (argument.startsWith("--")) throw new InputError("file_unreadable", `${argument} is not known\n${usage}`);
    else read.places.push(argument);
  }
  return read;
}

const say = (text: string): void => { process.stdout.write(text); };

/** Says on one line how far it is, where a person looks on. */
function live(): (what: string, done: number, total: number) => void {
  return (what, done, total) => {
    if (process.stderr.isTTY === true) process.stderr.write(`\r${what} ${done} of ${total}   ${done === total ? "\n" : ""}`);
  };
}

async function logOptions({ options }: Arguments): Promise<LogOptions> {
  const key = options.get("--key")?.[0];
  if (key === undefined) throw new InputError("key_malformed", "--key is missing: the operator's public key");
  const older = options.get("--older")?.[0];
  const made: LogOptions = { key: await keyOf(key), witnesses: await Promise.all((options.get("--witness") ?? []).map(keyOf)) };
  if (older !== undefined) made.older = noteText(await fileOf(older));
  return made;
}

async function receipt(given: Arguments): Promise<number> {
  const { key, witnesses } = await logOptions(given);
  let source = await fileOf(given.places[0]!);
  const link = readLink(noteText(source));
  const published = given.options.get("--folder")?.[0];
  if (link !== undefined && published !== undefined) source = utf8(JSON.stringify(await completeLink(link, folder(published), { key, witnesses: witnesses! })));
  const verdict = await verifyReceipt(source, key, witnesses);
  const findings = verdict.code === undefined ? [] : [{ code: verdict.code, where: verdict.where, what: "" }];
  say(given.json ? JSON.stringify({ outcome: verdict.outcome, play: verdict.receipt?.play ?? null, findings }) + "\n" : receiptText(verdict));
  return verdict.outcome === "refused" ? 1 : 0;
}

async function log(given: Arguments): Promise<number> {
  const { findings, entries, checkpoint } = await checkLog(await publication(given.places[0]!), await logOptions(given));
  if (given.json) say(JSON.stringify({ origin: checkpoint?.origin ?? null, size: checkpoint?.size ?? null, root: checkpoint === undefined ? null : hex(checkpoint.root), findings }) + "\n");
  else say(`log of ${entries.length} entries\n` + (findings.length === 0 ? "  nothing wrong was found\n" : findingsText(findings)));
  return findings.length === 0 ? 0 : 1;
}

async function block(given: Arguments): Promise<number> {
  const [path, id] = given.places;
  if (!isHex(id!, 16)) throw new InputError("block_not_open", `${id} is no identifier of a block: 32 hexadecimal digits`);
  const files = await publication(path!);
  const checked = await checkLog(files, await logOptions(given));
  const unusable = checked.checkpoint === undefined || checked.findings.some(({ code }) => code === "log_unreadable");
  if (unusable) {
    say(given.json ? JSON.stringify({ block: id, game: null, stake: null, size: null, sold: null, prizes_sold: null, prizes_unsold: null, tiers: null, findings: checked.findings }) + "\n" : findingsText(checked.findings));
    return 1;
  }
  const report = await checkBlock(files, checked, id!, live());
  const findings = [...checked.findings, ...report.findings];
  say(given.json ? JSON.stringify({ ...report, findings }) + "\n" : findingsText(checked.findings) + blockText(report));
  return findings.length === 0 ? 0 : 1;
}

async function vectors(given: Arguments): Promise<number> {
  const reports = await runVectors(await publication(given.places[0]!));
  for (const { file, run, failures } of reports) {
    say(`${file}: ${run} run, ${failures.length} failed\n`);
    for (const failure of failures.slice(0, 10)) say(`  ${failure}\n`);
  }
  if (reports.length === 0) throw new InputError("file_unreadable", `${given.places[0]} holds no test vectors`);
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

const commands: Record<string, [number, (given: Arguments) => Promise<number>]> = { receipt: [1, receipt], log: [1, log], block: [2, block], vectors: [1, vectors] };

async function main(): Promise<number> {
  try {
    const given = read(process.argv.slice(2));
    const command = Object.hasOwn(commands, given.command) ? commands[given.command] : undefined;
    if (command === undefined || given.places.length !== command[0]) throw new InputError("file_unreadable", usage);
    return await command[1](given);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    process.stderr.write(error.message.trimEnd() + "\n");
    return 2;
  }
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return 2;
});
