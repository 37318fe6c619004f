// Published test vectors of the algorithms, and what the parsers refuse.

import assert from "node:assert/strict";
import test from "node:test";

import { Aes256 } from "../src/aes.js";
import { base64, hex, isHex, unbase64, unhex, utf8 } from "../src/bytes.js";
import { readEntry } from "../src/entries.js";
import { canonical, parse } from "../src/json.js";
import { readLink } from "../src/link.js";
import { readKey } from "../src/note.js";
import { hkdf, hmac, node, sha256, wordsOf } from "../src/sha256.js";
import { auditPath, GrowingTree, included, raise, rootOf, subtreeOf } from "../src/tree.js";
import { hash, path, root } from "./publication.js";

test("SHA-256 of FIPS 180-4 and of every length up to three blocks", () => {
  assert.equal(hex(sha256(utf8("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(hex(sha256(utf8("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7 + length) % 256);
    assert.equal(hex(sha256(bytes)), hex(hash(bytes)), `${length} bytes`);
  }
});

test("inner nodes, also with every last byte", () => {
  for (let last = 0; last < 256; last++) {
    const pair = Uint8Array.from({ length: 64 }, (_, at) => (at === 63 ? last : at * 5 + last) % 256);
    const words = wordsOf(pair);
    node(words, 0, 8, words, 0);
    assert.deepEqual([...words.subarray(0, 8)], [...wordsOf(hash(new Uint8Array([1]), pair))]);
  }
});

test("HMAC of RFC 4231 and HKDF of RFC 5869", () => {
  assert.equal(hex(hmac(utf8("Jefe"), utf8("what do ya want for nothing?"))), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  const okm = hkdf(unhex("0b".repeat(22)), unhex("000102030405060708090a0b0c"), unhex("f0f1f2f3f4f5f6f7f8f9"));
  assert.equal(hex(okm), "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
});

test("AES-256 of FIPS 197, C.3, and of SP 800-38A, F.5.5", () => {
  const words = new Int32Array(4);
  const encrypt = (key: string, block: string): string => {
    const [a, b, c, d] = wordsOf(unhex(block));
    new Aes256(unhex(key)).encrypt(a!, b!, c!, d!, words);
    return [...words].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
  };
  assert.equal(encrypt("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "00112233445566778899aabbccddeeff"), "8ea2b7ca516745bfeafc49904b496089");
  assert.equal(encrypt("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), "0bdf7df1591716335e9a8b15c860c502");
});

test("trees of every size up to 70 are those of RFC 6962, with all their proofs", async () => {
  const leaves: Uint8Array<ArrayBuffer>[] = [];
  const growing = new GrowingTree();
  for (let size = 0; size <= 70; size++) {
    const want = hex(root(leaves));
    assert.equal(hex(growing.root()), want, `growing, ${size}`);
    const words = wordsOf(Uint8Array.from(leaves.flatMap((leaf) => [...leaf])));
    assert.equal(hex(rootOf(words, size)), want, `folded, ${size}`);
    for (let index = 0; index < size; index++) {
      const steps = await auditPath(index, 0, size, subtreeOf(leaves));
      assert.deepEqual(steps.map(hex), path(index, leaves));
      assert.ok(included(leaves[index]!, index, size, steps, unhex(want)));
      assert.ok(!included(leaves[index]!, index + 1, size, steps, unhex(want)), "another index");
      assert.ok(!included(leaves[index]!, index, size, [...steps, leaves[0]!], unhex(want)), "a hash too many");
      if (steps.length > 0) assert.ok(!included(leaves[index]!, index, size, steps.slice(1), unhex(want)), "a hash too few");
    }
    const leaf = hash(utf8(`leaf ${size}`));
    leaves.push(leaf);
    growing.addBytes(leaf);
  }
  assert.equal(raise(wordsOf(leaves[0]!), 1), 1);
});

test("JSON is read strictly", () => {
  for (const right of ['{"a":[1,true,null,"é\\n"]}', "0", '""', " [ ] ", "9007199254740991"]) parse(right);
  for (const wrong of ["", "01", "-1", "1.0", "1e3", "9007199254740992", '{"a":1,"a":1}', "[1,]", "{,}", '{"a"}', '"\\ud800"', '"\u0001"', "1 2", "\ufeff1", "tru", '"a', "[".repeat(40) + "]".repeat(40)]) {
    assert.throws(() => parse(wrong), wrong);
  }
  assert.equal(canonical(parse(' {"b":[1, "\\u00e9"], "a":{}} ')), '{"a":{},"b":[1,"é"]}');
});

test("entries that are not canonical, or have a key too many or too few, are none", () => {
  const right = '{"at":1,"block":"27b821727724a0b597ee08ab60add756","by":"a","kind":"approval","version":1,"why":"b"}';
  assert.ok(readEntry(right) !== undefined);
  const wrong = [
    right + " ", right.replace('"at":1,', ""), right.replace('"at":1', '"at":1,"au":2'), right.replace('"version":1', '"version":2'), right.replace("27b8", "27B8"),
    right.replace('"at":1,"block"', '"at": 1,"block"'), right.replace('"why":"b"', '"why":""'), right.replace('"why":"b"', `"why":"${"é".repeat(251)}"`), right.replace("approval", "toString"),
    right.replace('"by":"a"', `"by":"${"a".repeat(101)}"`), right.replace("27b8", "27b"), right.replace('"at":1', '"at":"1"'), "{}", "[]", "null",
  ];
  for (const text of wrong) assert.equal(readEntry(text), undefined, text);
});

test("keys, base64, hexadecimal and links are read strictly", () => {
  assert.equal(unbase64("AA="), undefined);
  assert.equal(unbase64("AB=="), undefined);
  assert.equal(hex(unbase64("AQI=")!), "0102");
  assert.equal(base64(unhex("0102")), "AQI=");
  assert.ok(!isHex("0A") && !isHex("0") && isHex("0a", 1) && !isHex("0a", 2));
  for (const text of ["", "a+b", "lottery+00000000+AQI=", "lottery.example+zz+AAAA"]) assert.throws(() => readKey(text), text);
  const play = "92cf9ba3335fc9e85d0c132a25a6dc60";
  assert.deepEqual({ ...readLink(`https://x.example/verifier#${play}.${play}.7.100.0001.${play}.5`) }, { play, block: play, index: 7, prize: 100, layout: "0001", salt: play, at: 5 });
  for (const text of ["", play, `${play}.${play}.x.1.00.${play}.1`, `${play}.${play}.1.1.0.${play}.1`, `${play}.${play}.1.1.00.${play}.99999999999999999999`]) assert.equal(readLink(text), undefined, text);
});
