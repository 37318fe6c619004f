// The files of testdata/ are those that these sources make; the tests of the page and of other checkers read
// them. UPDATE=1 writes them.

import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import test from "node:test";

import { hex, utf8 } from "../src/bytes.js";
import { inRepository, lune } from "./folder.js";
import { linkOf, publish, receiptOf } from "./publication.js";
import { spoilt, winnerAndLoser } from "./spoils.js";

const folder = inRepository("verify", "browser", "testdata");

async function fixture(): Promise<Map<string, Uint8Array>> {
  const made = await publish(await lune());
  const { open, pots, sold } = made.blocks;
  const [winner, loser] = winnerAndLoser(made);
  const text = (value: unknown): Uint8Array => utf8(JSON.stringify(value, null, 1) + "\n");
  const files = new Map<string, Uint8Array>([
    ["key", utf8(made.key + "\n")],
    ["receipts/complete.receipt.json", text(receiptOf(made, open, loser, pots))],
    ["receipts/jackpot.receipt.json", text(receiptOf(made, open, winner, pots))],
    ["receipts/provisional.receipt.json", text(receiptOf(made, sold, 5))],
    ["receipts/complete.link", utf8(linkOf(open, loser) + "\n")],
  ]);
  for (const { code, source } of spoilt(made)) if (!files.has(`receipts/refused-${code}.json`)) files.set(`receipts/refused-${code}.json`, utf8(source));
  for (const [path, bytes] of made.files) files.set(join("publication", path), bytes);
  return files;
}

test("the files of testdata are fresh", async () => {
  const made = await fixture();
  if (process.env["UPDATE"] === "1") {
    await rm(folder, { recursive: true, force: true });
    for (const [path, bytes] of made) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
  }
  for (const [path, bytes] of made) assert.equal(hex(await readFile(join(folder, path))), hex(bytes), `${path}: UPDATE=1 go test ./internal/web/player/bundle writes it`);
  for (const path of await readdir(folder, { recursive: true })) {
    if ((await stat(join(folder, path))).isFile()) assert.ok(made.has(path), `${path}: nothing makes it`);
  }
});
