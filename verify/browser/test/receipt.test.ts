// Receipts: good ones, and one spoilt for each code.

import assert from "node:assert/strict";
import test from "node:test";

import { canonical, type Json, type JsonObject } from "../src/json.js";
import { receiptCodes } from "../src/codes.js";
import { completeLink, readLink } from "../src/link.js";
import { filesOf } from "../src/files.js";
import { readKey } from "../src/note.js";
import { verifyReceipt } from "../src/receipt.js";
import { checkpointText, cosign, linkOf, publish, receiptOf, root, signNote, witnessKey } from "./publication.js";
import { lune } from "./folder.js";
import { spoilt } from "./spoils.js";

const made = await publish(await lune());
const { open, pots, sold, mixed } = made.blocks;
const key = readKey(made.key);
const winner = made.blocks.pots.units.findIndex(({ layout }, index) => layout[0] === 1 && index < 12);
const loser = made.blocks.pots.units.findIndex(({ layout }) => layout[0] === 0);
const spaced = (receipt: Json): string => JSON.stringify(receipt, null, 1);

test("every sale that is covered has a complete receipt", async () => {
  for (let index = 0; index < 12; index++) {
    const verdict = await verifyReceipt(spaced(receiptOf(made, open, index, pots)), key);
    assert.equal(verdict.outcome, "complete", `${index}: ${verdict.code} ${verdict.where}`);
    assert.equal(verdict.seal?.game, "lune");
  }
  assert.ok(winner >= 0);
  assert.equal((await verifyReceipt(spaced(receiptOf(made, open, winner, pots)), key)).win?.jackpot, "petit-pot");
});

test("a sale that no entry covers has a provisional one, and so has a win that is not told yet", async () => {
  const outcome = async (receipt: Json): Promise<string> => (await verifyReceipt(canonical(receipt), key)).outcome;
  assert.equal(await outcome(receiptOf(made, sold, 3)), "complete");
  assert.equal(await outcome(receiptOf(made, sold, 4)), "provisional");
  assert.equal(await outcome(receiptOf(made, mixed, 4)), "provisional");
  const { win: _, ...without } = receiptOf(made, open, winner, pots);
  assert.equal(await outcome(without), "provisional");
  const { sales: __, ...late } = receiptOf(made, open, loser, pots)["participation"] as JsonObject;
  assert.equal(await outcome({ ...receiptOf(made, open, loser, pots), participation: late }), "provisional");
});

test("each spoilt receipt is refused with its code", async (t) => {
  for (const { code, what, source } of spoilt(made)) {
    await t.test(`${code}: ${what}`, async () => {
      const verdict = await verifyReceipt(source, key);
      assert.deepEqual([verdict.outcome, verdict.code], ["refused", code]);
    });
  }
});

test("every code has a receipt that it refuses", () => {
  const refused = new Set(spoilt(made).map(({ code }) => code));
  // A missing cosignature is not in the receipt: the test of witnesses asks for one.
  for (const code of receiptCodes) assert.ok(refused.has(code) || code === "cosignature_missing", code);
});

test("a receipt signed by another key, or with an origin that is not the key's name", async () => {
  const leaves = made.leaves;
  const other = { ...receiptOf(made, open, 1), checkpoint: await signNote(checkpointText(leaves), "lottery.example/log", root([])) };
  assert.equal((await verifyReceipt(canonical(other), key)).code, "checkpoint_signature_wrong");
  const renamed = { ...receiptOf(made, open, 1), checkpoint: await signNote(checkpointText(leaves).replace("lottery.example", "elsewhere.example")) };
  assert.equal((await verifyReceipt(canonical(renamed), key)).code, "checkpoint_signature_wrong");
});

test("witnesses that are asked for must have cosigned", async () => {
  const receipt = receiptOf(made, open, 1);
  const witness = readKey(await witnessKey());
  assert.equal((await verifyReceipt(canonical(receipt), key, [witness])).code, "cosignature_missing");
  const cosigned = { ...receipt, checkpoint: await cosign(made.checkpoint) };
  assert.equal((await verifyReceipt(canonical(cosigned), key, [witness])).outcome, "complete");
  const spoilt = cosigned.checkpoint.replace(/(example \S{40})(.)/g, (_, before: string, character: string) => before + (character === "A" ? "B" : "A"));
  assert.ok(["cosignature_missing", "checkpoint_signature_wrong"].includes((await verifyReceipt(canonical({ ...receipt, checkpoint: spoilt }), key, [witness])).code!));
});

test("a link is completed from the published files, and proves nothing by itself", async () => {
  const files = filesOf(made.files);
  for (const [block, index, outcome] of [[open, 0, "complete"], [open, 11, "complete"], [mixed, 2, "complete"], [sold, 5, "provisional"]] as const) {
    const receipt = await completeLink(readLink(linkOf(block, index))!, files, { key });
    assert.equal((await verifyReceipt(JSON.stringify(receipt), key)).outcome, outcome);
  }
  const lied = linkOf(open, 1).split(".");
  lied[3] = "1000000";
  assert.equal((await verifyReceipt(JSON.stringify(await completeLink(readLink(lied.join("."))!, files, { key })), key)).code, "inclusion_not_proven");
  await assert.rejects(completeLink(readLink(linkOf(open, 1).replace(open.id, "0".repeat(32)))!, files, { key }));
});
