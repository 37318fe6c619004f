// src/cli.ts
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

// src/bytes.ts
var encoder = new TextEncoder();
var utf8 = (text2) => encoder.encode(text2);
function text(bytes2) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes2);
  } catch {
    return void 0;
  }
}
function hex(bytes2) {
  let written = "";
  for (const byte of bytes2) written += (byte < 16 ? "0" : "") + byte.toString(16);
  return written;
}
var lowerHex = /^(?:[0-9a-f]{2})*$/;
var isHex = (written, bytes2) => lowerHex.test(written) && (bytes2 === void 0 || written.length === 2 * bytes2);
function unhex(written) {
  if (!isHex(written)) throw new RangeError("not lower-case hexadecimal");
  const bytes2 = new Uint8Array(written.length / 2);
  for (let at2 = 0; at2 < bytes2.length; at2++) bytes2[at2] = Number.parseInt(written.slice(2 * at2, 2 * at2 + 2), 16);
  return bytes2;
}
function joined(...parts) {
  const whole3 = new Uint8Array(parts.reduce((sum, part2) => sum + part2.length, 0));
  let at2 = 0;
  for (const part2 of parts) {
    whole3.set(part2, at2);
    at2 += part2.length;
  }
  return whole3;
}
function same(a, b) {
  if (a.length !== b.length) return false;
  for (let at2 = 0; at2 < a.length; at2++) if (a[at2] !== b[at2]) return false;
  return true;
}
function u32(x) {
  const bytes2 = new Uint8Array(4);
  new DataView(bytes2.buffer).setUint32(0, x);
  return bytes2;
}
function u64(x) {
  const bytes2 = new Uint8Array(8);
  const view = new DataView(bytes2.buffer);
  view.setUint32(0, Math.floor(x / 2 ** 32));
  view.setUint32(4, x % 2 ** 32);
  return bytes2;
}
function unbase64(written) {
  if (written.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(written)) return void 0;
  let binary;
  try {
    binary = atob(written);
  } catch {
    return void 0;
  }
  const bytes2 = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return base64(bytes2) === written ? bytes2 : void 0;
}
function base64(bytes2) {
  let binary = "";
  for (const byte of bytes2) binary += String.fromCharCode(byte);
  return btoa(binary);
}

// src/codes.ts
var InputError = class extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
  code;
};

// src/json.ts
var JsonError = class extends Error {
};
var depthMost = 32;
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var Reader = class {
  constructor(source) {
    this.source = source;
  }
  source;
  at = 0;
  whole() {
    const value = this.value(0);
    this.spaces();
    if (this.at < this.source.length) this.wrong("something follows the value");
    return value;
  }
  wrong(what) {
    throw new JsonError(`${what}, at character ${this.at}`);
  }
  spaces() {
    while (" 	\r\n".includes(this.source[this.at] ?? "x")) this.at++;
  }
  takes(text2) {
    if (!this.source.startsWith(text2, this.at)) return false;
    this.at += text2.length;
    return true;
  }
  value(depth) {
    if (depth > depthMost) this.wrong("too deep");
    this.spaces();
    if (this.takes("{")) return this.object(depth);
    if (this.takes("[")) return this.list(depth);
    if (this.source[this.at] === '"') return this.string();
    if (this.takes("true")) return true;
    if (this.takes("false")) return false;
    if (this.takes("null")) return null;
    return this.number();
  }
  number() {
    const pattern = /0|[1-9][0-9]*/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    const number3 = Number(found);
    if (found === void 0 || !Number.isSafeInteger(number3)) this.wrong("no value, or a number that is not whole and below 2^53");
    this.at += found.length;
    if (/[.eE0-9]/.test(this.source[this.at] ?? "")) this.wrong("a number that is not whole");
    return number3;
  }
  string() {
    const pattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (found === void 0) this.wrong("a text that does not end or has a control character");
    const value = JSON.parse(found);
    if (new RegExp("\\p{Surrogate}", "u").test(value)) this.wrong("half of a surrogate pair");
    this.at += found.length;
    return value;
  }
  list(depth) {
    const list2 = [];
    this.spaces();
    if (this.takes("]")) return list2;
    for (; ; ) {
      list2.push(this.value(depth + 1));
      this.spaces();
      if (this.takes("]")) return list2;
      if (!this.takes(",")) this.wrong("no comma");
    }
  }
  object(depth) {
    const object2 = /* @__PURE__ */ Object.create(null);
    this.spaces();
    if (this.takes("}")) return object2;
    for (; ; ) {
      this.spaces();
      if (this.source[this.at] !== '"') this.wrong("no key");
      const key = this.string();
      if (key in object2) this.wrong("a key twice");
      this.spaces();
      if (!this.takes(":")) this.wrong("no colon");
      object2[key] = this.value(depth + 1);
      this.spaces();
      if (this.takes("}")) return object2;
      if (!this.takes(",")) this.wrong("no comma");
    }
  }
};
var parse = (source) => new Reader(source).whole();
function canonical(value) {
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  if (!isObject(value)) return JSON.stringify(value);
  return "{" + Object.keys(value).sort().map((key) => JSON.stringify(key) + ":" + canonical(value[key])).join(",") + "}";
}

// src/definition.ts
var DefinitionError = class extends Error {
};
var TableError = class extends DefinitionError {
};
var unitsMost = 1e7;
function fail(what) {
  throw new DefinitionError(what);
}
var object = (value, what) => isObject(value) ? value : fail(`${what} is no object`);
var list = (value, what) => Array.isArray(value) ? value : fail(`${what} is no list`);
var string = (value, what) => typeof value === "string" ? value : fail(`${what} is no text`);
function whole(value, what, least, most) {
  if (typeof value !== "number" || value < least || value > most) fail(`${what} is no number from ${least} to ${most}`);
  return value;
}
var amountMost = 1e9;
function amount(value, what) {
  if (typeof value === "number" && value <= amountMost) return value * 1e4;
  const parts = typeof value === "string" ? /^(0|[1-9][0-9]{0,9})\.([0-9]{2,4})$/.exec(value) : null;
  if (parts === null) fail(`${what} is no amount`);
  return Number(parts[1]) * 1e4 + Number(parts[2].padEnd(4, "0"));
}
var at = (values, place, what) => values[place] ?? fail(`${what} has no entry ${place}`);
function readDefinition(document, stake) {
  const d = object(document, "the definition");
  const name2 = string(d["name"], "name");
  const size = whole(object(d["block"], "block")["size"], "block.size", 1, unitsMost);
  if (d["kind"] === "jackpot") {
    if (stake !== 0) fail("a jackpot has one price");
    const odds = whole(d["one_in"], "one_in", 2, 1e9);
    const start = amount(d["start"], "start");
    const share = amount(object(d["shares"], "shares")["pot"], "shares.pot");
    return { kind: "jackpot", name: name2, size, price: amount(d["price"], "price"), tiers: [], rules: void 0, odds, start, share };
  }
  if (d["kind"] !== "game") fail("kind is neither game nor jackpot");
  const price = amount(object(at(list(d["stakes"], "stakes"), stake, "stakes"), "a stake")["price"], "price");
  const tiers = list(object(d["prizes"], "prizes")["tiers"], "prizes.tiers").map((value) => {
    const tier = object(value, "a tier");
    const amounts = list(tier["amounts"], "amounts");
    return {
      count: whole(tier["count"], "count", 1, size),
      amount: amount(at(amounts, stake, "amounts"), "an amount"),
      first: amount(at(amounts, 0, "amounts"), "an amount")
    };
  });
  if (tiers.length > 64) fail("more than 64 tiers");
  if (tiers.reduce((sum, tier) => sum + tier.count, 0) > size) throw new TableError("more prizes than units");
  return { kind: "game", name: name2, size, price, tiers, rules: rules(object(d["mechanic"], "mechanic"), stake), odds: 0, start: 0, share: 0 };
}
function rules(m, stake) {
  const kind = m["kind"];
  if (kind !== "collect" && kind !== "lines") fail("a mechanic that is not known here");
  const symbols = list(m["symbols"], "symbols").map((value) => object(value, "a symbol"));
  const places = new Map(symbols.map((symbol, place2) => [string(symbol["name"], "a symbol's name"), place2]));
  const place = (value) => places.get(string(value, "a symbol")) ?? fail(`an unknown symbol`);
  const read2 = {
    kind,
    cells: 0,
    rows: 0,
    columns: 0,
    wild: -1,
    multiplier: -1,
    coefficients: [],
    gainsMost: 3,
    lines: [],
    roles: symbols.map((symbol) => role(symbol["role"])),
    combinations: list(m["combinations"], "combinations").map((value) => {
      const combination = object(value, "a combination");
      const gain = amount(at(list(combination["gains"], "gains"), stake, "gains"), "a gain");
      const named2 = kind === "collect" ? list(combination["symbols"], "symbols").map(place) : [place(combination["symbol"])];
      return { symbols: named2, gain };
    }),
    weights: m["weights"] === void 0 ? [] : list(m["weights"], "weights").map(weight)
  };
  if (m["wild"] !== void 0) read2.wild = place(object(m["wild"], "wild")["symbol"]);
  if (kind === "collect") {
    read2.cells = whole(m["cells"], "cells", 1, 31);
    return read2;
  }
  read2.rows = whole(m["rows"], "rows", 1, 6);
  read2.columns = whole(m["columns"], "columns", 1, 6);
  read2.cells = read2.rows * read2.columns;
  if (m["multiplier"] !== void 0) {
    const multiplier = object(m["multiplier"], "multiplier");
    read2.multiplier = place(multiplier["symbol"]);
    read2.coefficients = list(multiplier["coefficients"], "coefficients").map((value) => whole(value, "a coefficient", 1, 1e6));
  }
  if (m["gains_most"] !== void 0) read2.gainsMost = whole(m["gains_most"], "gains_most", 1, 36);
  read2.lines = list(m["lines"], "lines").flatMap((value) => linesOf(value, read2.rows, read2.columns));
  return read2;
}
function role(value) {
  if (value === void 0) return "paying";
  if (value === "paying" || value === "neutral" || value === "wild" || value === "multiplier") return value;
  fail("a role that is not known");
}
function weight(value) {
  const w2 = object(value, "a weight");
  return {
    prize: amount(w2["prize"], "prize"),
    gains: w2["gains"] === void 0 ? [] : list(w2["gains"], "gains").map((gain) => whole(gain, "a gain", 0, 1e3)).sort((a, b) => a - b),
    wild: w2["wild"] === true,
    multiplier: w2["multiplier"] === void 0 ? 0 : whole(w2["multiplier"], "multiplier", 0, 1e6),
    weight: whole(w2["weight"], "weight", 1, 1e6)
  };
}
function linesOf(value, rows, columns) {
  const count2 = (n) => Array.from({ length: n }, (_, k) => k);
  if (value === "rows") return count2(rows).map((row) => count2(columns).map((column) => row * columns + column));
  if (value === "columns") return count2(columns).map((column) => count2(rows).map((row) => row * columns + column));
  if (value === "diagonals") {
    if (rows !== columns) fail("diagonals of a grid that is not square");
    return [count2(rows).map((k) => k * columns + k), count2(rows).map((k) => k * columns + columns - 1 - k)];
  }
  return [list(value, "a line").map((cell) => whole(cell, "a cell", 0, rows * columns - 1))];
}

// src/aes.ts
var box = new Uint8Array(256);
var t0 = new Int32Array(256);
var t1 = new Int32Array(256);
var t2 = new Int32Array(256);
var t3 = new Int32Array(256);
(function fill() {
  const double = (x) => x << 1 ^ (x >> 7) * 283;
  let p = 1, q = 1;
  do {
    p = p ^ double(p);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 255;
    if (q & 128) q ^= 9;
    const turned = q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4);
    box[p] = turned & 255 ^ 99;
  } while (p !== 1);
  box[0] = 99;
  for (let x = 0; x < 256; x++) {
    const s = box[x];
    const s2 = double(s) & 255;
    const column = s2 << 24 | s << 16 | s << 8 | s2 ^ s;
    t0[x] = column;
    t1[x] = column >>> 8 | column << 24;
    t2[x] = column >>> 16 | column << 16;
    t3[x] = column >>> 24 | column << 8;
  }
})();
var substituted = (x) => box[x >>> 24] << 24 | box[x >>> 16 & 255] << 16 | box[x >>> 8 & 255] << 8 | box[x & 255];
var Aes256 = class {
  keys = new Int32Array(60);
  constructor(key) {
    if (key.length !== 32) throw new RangeError("an AES-256 key has 32 bytes");
    const view = new DataView(key.buffer, key.byteOffset, 32);
    const k = this.keys;
    for (let t = 0; t < 8; t++) k[t] = view.getInt32(4 * t);
    for (let t = 8, constant = 1; t < 60; t++) {
      let x = k[t - 1];
      if (t % 8 === 0) {
        x = substituted(x << 8 | x >>> 24) ^ constant << 24;
        constant <<= 1;
      } else if (t % 8 === 4) x = substituted(x);
      k[t] = k[t - 8] ^ x;
    }
  }
  /** Encrypts one block of four words. */
  encrypt(w0, w1, w2, w3, out) {
    const k = this.keys;
    let a = w0 ^ k[0], b = w1 ^ k[1], c = w2 ^ k[2], d = w3 ^ k[3];
    for (let t = 4; t < 56; t += 4) {
      const x = t0[a >>> 24] ^ t1[b >>> 16 & 255] ^ t2[c >>> 8 & 255] ^ t3[d & 255] ^ k[t];
      const y = t0[b >>> 24] ^ t1[c >>> 16 & 255] ^ t2[d >>> 8 & 255] ^ t3[a & 255] ^ k[t + 1];
      const z = t0[c >>> 24] ^ t1[d >>> 16 & 255] ^ t2[a >>> 8 & 255] ^ t3[b & 255] ^ k[t + 2];
      d = t0[d >>> 24] ^ t1[a >>> 16 & 255] ^ t2[b >>> 8 & 255] ^ t3[c & 255] ^ k[t + 3];
      a = x;
      b = y;
      c = z;
    }
    out[0] = (box[a >>> 24] << 24 | box[b >>> 16 & 255] << 16 | box[c >>> 8 & 255] << 8 | box[d & 255]) ^ k[56];
    out[1] = (box[b >>> 24] << 24 | box[c >>> 16 & 255] << 16 | box[d >>> 8 & 255] << 8 | box[a & 255]) ^ k[57];
    out[2] = (box[c >>> 24] << 24 | box[d >>> 16 & 255] << 16 | box[a >>> 8 & 255] << 8 | box[b & 255]) ^ k[58];
    out[3] = (box[d >>> 24] << 24 | box[a >>> 16 & 255] << 16 | box[b >>> 8 & 255] << 8 | box[c & 255]) ^ k[59];
  }
};

// src/sha256.ts
var constants = new Int32Array([
  1116352408,
  1899447441,
  3049323471,
  3921009573,
  961987163,
  1508970993,
  2453635748,
  2870763221,
  3624381080,
  310598401,
  607225278,
  1426881987,
  1925078388,
  2162078206,
  2614888103,
  3248222580,
  3835390401,
  4022224774,
  264347078,
  604807628,
  770255983,
  1249150122,
  1555081692,
  1996064986,
  2554220882,
  2821834349,
  2952996808,
  3210313671,
  3336571891,
  3584528711,
  113926993,
  338241895,
  666307205,
  773529912,
  1294757372,
  1396182291,
  1695183700,
  1986661051,
  2177026350,
  2456956037,
  2730485921,
  2820302411,
  3259730800,
  3345764771,
  3516065817,
  3600352804,
  4094571909,
  275423344,
  430227734,
  506948616,
  659060556,
  883997877,
  958139571,
  1322822218,
  1537002063,
  1747873779,
  1955562222,
  2024104815,
  2227730452,
  2361852424,
  2428436474,
  2756734187,
  3204031479,
  3329325298
]);
var initial = new Int32Array([1779033703, 3144134277, 1013904242, 2773480762, 1359893119, 2600822924, 528734635, 1541459225]);
var state = new Int32Array(8);
var w = new Int32Array(64);
function extend() {
  for (let t = 16; t < 64; t++) {
    const a = w[t - 15];
    const b = w[t - 2];
    w[t] = w[t - 16] + w[t - 7] + ((a >>> 7 | a << 25) ^ (a >>> 18 | a << 14) ^ a >>> 3) + ((b >>> 17 | b << 15) ^ (b >>> 19 | b << 13) ^ b >>> 10) | 0;
  }
  for (let t = 0; t < 64; t++) w[t] = w[t] + constants[t] | 0;
}
function rounds(schedule, from) {
  let a = state[0], b = state[1], c = state[2], d = state[3];
  let e = state[4], f = state[5], g = state[6], h = state[7];
  for (let t = 0; t < 64; t++) {
    const x = h + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (g ^ e & (f ^ g)) + schedule[from + t] | 0;
    const y = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b | c & (a | b)) | 0;
    h = g;
    g = f;
    f = e;
    e = d + x | 0;
    d = c;
    c = b;
    b = a;
    a = x + y | 0;
  }
  state[0] = state[0] + a | 0;
  state[1] = state[1] + b | 0;
  state[2] = state[2] + c | 0;
  state[3] = state[3] + d | 0;
  state[4] = state[4] + e | 0;
  state[5] = state[5] + f | 0;
  state[6] = state[6] + g | 0;
  state[7] = state[7] + h | 0;
}
function give(out, at2) {
  for (let k = 0; k < 8; k++) out[at2 + k] = state[k];
}
var Message = class {
  /** The bytes of the message; what lies behind them is its padding. */
  bytes;
  view;
  padded;
  constructor(start, length = start.length) {
    this.padded = Math.ceil((length + 9) / 64) * 64;
    const all = new Uint8Array(this.padded);
    all.set(start);
    all[length] = 128;
    this.view = new DataView(all.buffer);
    this.view.setUint32(this.padded - 8, Math.floor(length / 2 ** 29));
    this.view.setUint32(this.padded - 4, length * 8 % 2 ** 32);
    this.bytes = all.subarray(0, length);
  }
  /** Writes the digest as eight words. */
  hash(out, at2) {
    state.set(initial);
    for (let block3 = 0; block3 < this.padded; block3 += 64) {
      for (let t = 0; t < 16; t++) w[t] = this.view.getInt32(block3 + 4 * t);
      extend();
      rounds(w, 0);
    }
    give(out, at2);
  }
};
var lastBlocks;
function schedulesOfLastBlocks() {
  const all = new Int32Array(256 * 64);
  for (let byte = 0; byte < 256; byte++) {
    w.fill(0, 0, 16);
    w[0] = byte << 24 | 128 << 16;
    w[15] = 65 * 8;
    extend();
    all.set(w, 64 * byte);
  }
  return all;
}
function node(source, left, right, out, at2) {
  lastBlocks ??= schedulesOfLastBlocks();
  state.set(initial);
  let before = 1;
  for (let t = 0; t < 8; t++) {
    const word = source[left + t];
    w[t] = before << 24 | word >>> 8;
    before = word;
  }
  for (let t = 0; t < 8; t++) {
    const word = source[right + t];
    w[8 + t] = before << 24 | word >>> 8;
    before = word;
  }
  const last = before & 255;
  extend();
  rounds(w, 0);
  rounds(lastBlocks, 64 * last);
  give(out, at2);
}
var once = new Int32Array(8);
function sha256(...parts) {
  const length = parts.reduce((sum, part2) => sum + part2.length, 0);
  const message = new Message(new Uint8Array(0), length);
  let at2 = 0;
  for (const part2 of parts) {
    message.bytes.set(part2, at2);
    at2 += part2.length;
  }
  message.hash(once, 0);
  return bytesOf(once, 0);
}
function bytesOf(words, at2) {
  const bytes2 = new Uint8Array(32);
  const view = new DataView(bytes2.buffer);
  for (let k = 0; k < 8; k++) view.setInt32(4 * k, words[at2 + k]);
  return bytes2;
}
function wordsOf(bytes2) {
  const view = new DataView(bytes2.buffer, bytes2.byteOffset, bytes2.byteLength);
  const words = new Int32Array(bytes2.byteLength >> 2);
  for (let k = 0; k < words.length; k++) words[k] = view.getInt32(4 * k);
  return words;
}
function hmac(key, message) {
  const inner2 = new Uint8Array(64).fill(54);
  const outer = new Uint8Array(64).fill(92);
  key.forEach((byte, at2) => {
    inner2[at2] ^= byte;
    outer[at2] ^= byte;
  });
  return sha256(outer, sha256(inner2, message));
}
var hkdf = (secret, salt, info) => hmac(hmac(salt, secret), new Uint8Array([...info, 1]));

// src/stream.ts
var keyOf = (secret, block3, purpose) => hkdf(secret, block3, utf8(`talon/${purpose}/v1`));
function below(numbers, n) {
  if (!(n >= 1 && n <= 4294967295)) throw new RangeError(`numbers below ${n} are not defined`);
  const most = 4294967295 - (4294967295 % (n >>> 0) + 1) % (n >>> 0);
  for (; ; ) {
    const x = numbers.next();
    if (x <= most) return (x >>> 0) % (n >>> 0);
  }
}
var Stream = class {
  constructor(cipher) {
    this.cipher = cipher;
  }
  cipher;
  words = new Int32Array(4);
  taken = 4;
  high = 0;
  low = 0;
  counter = 0;
  /** Goes to the beginning of stream s, given in its high and its low 32 bits. */
  start(low, high = 0) {
    this.low = low | 0;
    this.high = high | 0;
    this.counter = 0;
    this.taken = 4;
    return this;
  }
  next() {
    if (this.taken === 4) {
      this.cipher.encrypt(this.high, this.low, 0, this.counter++, this.words);
      this.taken = 0;
    }
    return this.words[this.taken++] >>> 0;
  }
};
function shuffle(list2, numbers) {
  for (let i = list2.length - 1; i >= 1; i--) {
    const j = below(numbers, i + 1);
    const kept = list2[i];
    list2[i] = list2[j];
    list2[j] = kept;
  }
}

// src/ways.ts
function compareLists(a, b) {
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k] - b[k];
  return a.length - b.length;
}
var compareWays = (a, b) => a.gains.length - b.gains.length || compareLists(a.gains, b.gains) || Number(a.wild) - Number(b.wild) || a.coefficient - b.coefficient;
function weightOf(way, prizeAtFirst, rules2) {
  const coefficient = way.coefficient < 0 ? 0 : rules2.coefficients[way.coefficient];
  for (const given of rules2.weights) {
    const multiplier = given.multiplier === 1 && coefficient === 0 ? 0 : given.multiplier;
    if (given.prize === prizeAtFirst && compareLists(given.gains, way.gains) === 0 && given.wild === way.wild && multiplier === coefficient) return given.weight;
  }
  let weight2 = 64;
  for (let k = 1; k < way.gains.length; k++) weight2 = Math.floor(weight2 / 4);
  if (way.wild) weight2 = Math.floor(weight2 / 2);
  if (way.coefficient >= 0) weight2 = Math.floor(weight2 / 2);
  return Math.max(weight2, 1);
}
var Choice = class {
  constructor(entries, weights) {
    this.entries = entries;
    let total = 0;
    for (const weight2 of weights) this.totals.push(total += weight2);
    if (!(total >= 1 && total <= 4294967295)) throw new DefinitionError(`weights that sum to ${total}`);
  }
  entries;
  totals = [];
  pick(numbers) {
    const x = below(numbers, this.totals[this.totals.length - 1]);
    let from = 0;
    for (let to = this.totals.length - 1; from < to; ) {
      const middle = from + to >> 1;
      if (this.totals[middle] > x) to = middle;
      else from = middle + 1;
    }
    return this.entries[from];
  }
};

// src/collect.ts
var compositionsMost = 3e6;
var better = (a, b) => a.sum !== b.sum ? a.sum > b.sum : a.gains.length !== b.gains.length ? a.gains.length < b.gains.length : a.wild !== b.wild ? !a.wild : compareLists(a.gains, b.gains) < 0;
var Collect = class {
  // symbols of each combination
  constructor(rules2, tiers) {
    this.rules = rules2;
    this.cells = rules2.cells;
    this.powers = rules2.roles.map((_, symbol) => (rules2.cells + 1) ** symbol);
    if ((rules2.cells + 1) ** rules2.roles.length > Number.MAX_SAFE_INTEGER) throw new DefinitionError("more symbols and cells than can be counted here");
    this.needed = rules2.combinations.map(({ symbols }) => rules2.roles.map((_, symbol) => symbols.filter((s) => s === symbol).length));
    const found = this.compositions();
    this.losing = this.choices(found.get(0), 0);
    for (const tier of tiers) this.tiers.push(this.choices(found.get(tier.amount), tier.first));
  }
  rules;
  cells;
  prizes = /* @__PURE__ */ new Map();
  // of each composition, by its key
  powers;
  // of a composition's key
  tiers = [];
  losing;
  needed;
  /** All compositions by prize, with the gains of their best reading, in the order of section 7.1. */
  compositions() {
    const { rules: rules2 } = this;
    const byPrize = /* @__PURE__ */ new Map();
    const counts = rules2.roles.map(() => 0);
    const last = counts.length - 1;
    let seen = 0;
    const fill2 = (symbol, left) => {
      const most = symbol === rules2.wild ? Math.min(1, left) : rules2.roles[symbol] === "paying" || rules2.roles[symbol] === "neutral" ? left : 0;
      for (let n = symbol === last ? left : 0; n <= most; n++) {
        counts[symbol] = n;
        if (symbol < last) {
          fill2(symbol + 1, left - n);
          continue;
        }
        if (++seen > compositionsMost) throw new DefinitionError("more compositions than can be gone through here");
        const reading = this.best(counts);
        this.prizes.set(this.key(counts), reading.sum);
        const way = { gains: reading.gains, wild: rules2.wild >= 0 && counts[rules2.wild] > 0, coefficient: -1 };
        const list2 = byPrize.get(reading.sum) ?? [];
        list2.push({ counts: [...counts], way });
        byPrize.set(reading.sum, list2);
      }
      counts[symbol] = 0;
    };
    fill2(0, this.cells);
    return byPrize;
  }
  key(counts) {
    return counts.reduce((sum, n, symbol) => sum + n * this.powers[symbol], 0);
  }
  /** The best reading of a composition. */
  best(counts) {
    const { rules: rules2, needed } = this;
    const left = [...counts];
    const wilds = rules2.wild < 0 ? 0 : counts[rules2.wild];
    let best = { gains: [], sum: 0, wild: false };
    const gains = [];
    const extend2 = (from, sum, wildUsed) => {
      const reading = { gains, sum, wild: wildUsed };
      if (better(reading, best)) best = { ...reading, gains: [...gains] };
      for (let place = from; place < needed.length; place++) {
        const lacking = needed[place].reduce((total, n, symbol) => total + Math.max(0, n - left[symbol]), 0);
        if (lacking > (wildUsed ? 0 : wilds)) continue;
        const standsFor = needed[place].flatMap((n, symbol) => n > 0 && wilds > 0 && !wildUsed && (lacking === 0 || n > left[symbol]) ? [symbol] : []);
        for (const spared of lacking === 0 ? [-1, ...standsFor] : standsFor) {
          const taken2 = needed[place].map((n, symbol) => n - Number(symbol === spared));
          taken2.forEach((n, symbol) => {
            left[symbol] -= n;
          });
          gains.push(place);
          extend2(place, sum + rules2.combinations[place].gain, wildUsed || spared >= 0);
          gains.pop();
          taken2.forEach((n, symbol) => {
            left[symbol] += n;
          });
        }
      }
    };
    extend2(0, 0, false);
    return best;
  }
  /** The choices 1 and 2 of a prize. */
  choices(found, prizeAtFirst) {
    if (found === void 0) throw new DefinitionError("a prize that no layout makes");
    const ways = /* @__PURE__ */ new Map();
    for (const { counts, way } of found) {
      const name2 = JSON.stringify(way);
      const entry = ways.get(name2) ?? { way, counts: [] };
      entry.counts.push(counts);
      ways.set(name2, entry);
    }
    const ordered = [...ways.values()].sort((a, b) => compareWays(a.way, b.way));
    return new Choice(
      ordered.map(({ counts }) => new Choice(counts, counts.map(orders))),
      ordered.map(({ way }) => weightOf(way, prizeAtFirst, this.rules))
    );
  }
  lay(tier, numbers, into) {
    const counts = (tier < 0 ? this.losing : this.tiers[tier]).pick(numbers).pick(numbers);
    let cell = 0;
    for (let symbol = 0; symbol < counts.length; symbol++) for (let n = counts[symbol]; n > 0; n--) into[cell++] = symbol;
    for (let i = this.cells - 1; i >= 1; i--) {
      const j = below(numbers, i + 1);
      const kept = into[i];
      into[i] = into[j];
      into[j] = kept;
    }
    return true;
  }
  read(layout) {
    if (layout.length !== this.cells) return -1;
    let key = 0;
    for (let cell = 0; cell < layout.length; cell++) {
      const power = this.powers[layout[cell]];
      if (power === void 0) return -1;
      key += power;
    }
    return this.prizes.get(key) ?? -1;
  }
};
function orders(counts) {
  let total = 1n;
  let cells = 0n;
  for (const count2 of counts) {
    for (let n = 1n; n <= BigInt(count2); n++) total = total * ++cells / n;
  }
  return Number(total);
}

// src/hashes.ts
var tag = (name2) => joined(new Uint8Array([name2.length]), utf8(name2));
var variable = (bytes2) => joined(u32(bytes2.length), bytes2);
var zero = new Uint8Array([0]);
var entryLeaf = (entry) => sha256(zero, entry);
var definitionHash = (canonical2) => sha256(tag("talon/definition/v1"), variable(canonical2));
var commitment = (block3, secret) => sha256(tag("talon/secret-commitment/v1"), variable(block3), variable(secret));
var shareCommitment = (block3, party, share) => sha256(tag("talon/contribution/v1"), variable(block3), variable(utf8(party)), variable(share));
var mixed = (block3, shares, beacon2) => sha256(tag("talon/secret-mix/v1"), variable(block3), ...shares.flatMap(({ party, share }) => [variable(utf8(party)), variable(share)]), variable(beacon2));
var unitData = (block3, index, prize, layout, salt) => joined(tag("talon/unit/v1"), block3, u64(index), u64(prize), variable(layout), salt);
var unitLeaf = (block3, index, prize, layout, salt) => sha256(zero, unitData(block3, index, prize, layout, salt));
var playOf = (block3, index, salt) => sha256(tag("talon/play/v1"), block3, u64(index), salt).slice(0, 16);
var saleLeaf = (block3, index, play, at2) => sha256(zero, tag("talon/sale/v1"), block3, u64(index), play, u64(at2));
var UnitLeaves = class {
  message;
  indexAt;
  layoutLength;
  constructor(block3, layoutLength) {
    const head = joined(zero, tag("talon/unit/v1"), block3);
    this.indexAt = head.length;
    this.layoutLength = layoutLength;
    this.message = new Message(head, head.length + 8 + 8 + 4 + layoutLength + 16);
    this.message.view.setUint32(this.indexAt + 16, layoutLength);
  }
  hash(index, prize, layout, salt, out, at2) {
    const { view, bytes: bytes2 } = this.message;
    const from = this.indexAt;
    view.setUint32(from + 4, index);
    view.setUint32(from + 8, Math.floor(prize / 2 ** 32));
    view.setUint32(from + 12, prize % 2 ** 32);
    for (let cell = 0; cell < this.layoutLength; cell++) bytes2[from + 20 + cell] = layout[cell];
    const saltAt = from + 20 + this.layoutLength;
    for (let word = 0; word < 4; word++) view.setInt32(saltAt + 4 * word, salt[word]);
    this.message.hash(out, at2);
  }
};
var Plays = class {
  message;
  indexAt;
  constructor(block3) {
    const head = joined(tag("talon/play/v1"), block3);
    this.indexAt = head.length;
    this.message = new Message(head, head.length + 8 + 16);
  }
  hash(index, salt, saltAt, out) {
    this.message.view.setUint32(this.indexAt + 4, index);
    for (let word = 0; word < 4; word++) this.message.view.setInt32(this.indexAt + 8 + 4 * word, salt[saltAt + word]);
    this.message.hash(out, 0);
  }
};
var SaleLeaves = class {
  message;
  indexAt;
  constructor(block3) {
    const head = joined(zero, tag("talon/sale/v1"), block3);
    this.indexAt = head.length;
    this.message = new Message(head, head.length + 8 + 24);
  }
  hash(index, sales2, at2, out) {
    this.message.view.setUint32(this.indexAt + 4, index);
    const { bytes: bytes2 } = this.message;
    for (let byte = 0; byte < 24; byte++) bytes2[this.indexAt + 8 + byte] = sales2[at2 + byte];
    this.message.hash(out, 0);
  }
};

// src/lines.ts
var attemptsMost = 1e3;
var placementsMost = 2e6;
var stepsMost = 5e6;
var free = -1;
var Lines = class {
  constructor(rules2, tiers) {
    this.rules = rules2;
    this.cells = rules2.cells;
    const codeOf = [];
    let code = 0;
    rules2.roles.forEach((role2, symbol) => {
      codeOf.push(code);
      if (role2 === "paying" || role2 === "neutral") this.fillers.push(code);
      code += symbol === rules2.multiplier ? rules2.coefficients.length : 1;
    });
    this.codes = code;
    if (code > 255 || this.fillers.length === 0 || rules2.lines.length > 64) throw new DefinitionError("more symbols or lines than can be read here, or none");
    this.wild = rules2.wild < 0 ? -2 : codeOf[rules2.wild];
    this.multiplierFrom = rules2.multiplier < 0 ? code : codeOf[rules2.multiplier];
    this.combinationCode = rules2.combinations.map(({ symbols }) => codeOf[symbols[0]]);
    this.gainOf = new Float64Array(code).fill(-1);
    rules2.combinations.forEach(({ gain }, place) => {
      this.gainOf[this.combinationCode[place]] = gain;
    });
    const ways = this.ways();
    for (const tier of tiers) this.tiers.push(this.choices(ways, tier));
  }
  rules;
  cells;
  fillers = [];
  wild;
  // codes
  multiplierFrom;
  gainOf;
  // by code, -1 where a line of it wins nothing
  codes;
  tiers = [];
  combinationCode;
  placements = 0;
  isMultiplier(code) {
    return code >= this.multiplierFrom && code < this.multiplierFrom + this.rules.coefficients.length;
  }
  /** The code that a line wins with, or -1. Free cells win nothing. */
  wins(codes, line) {
    let shown = -1;
    let wilds = 0;
    for (let k = 0; k < line.length; k++) {
      const code = codes[line[k]];
      if (code === this.wild) {
        if (++wilds > 1) return -1;
      } else if (shown < 0) {
        if (code < 0 || this.gainOf[code] < 0) return -1;
        shown = code;
      } else if (code !== shown) return -1;
    }
    return shown;
  }
  winning(codes) {
    let count2 = 0;
    for (const line of this.rules.lines) if (this.wins(codes, line) >= 0) count2++;
    return count2;
  }
  /** All ways in their order, those without a placement included. */
  ways() {
    const { rules: rules2 } = this;
    const found = [];
    const gains = [];
    const extend2 = (from) => {
      for (let place = from; place < rules2.combinations.length && gains.length < Math.min(rules2.gainsMost, rules2.lines.length); place++) {
        gains.push(place);
        for (const wild of rules2.wild < 0 ? [false] : [false, true]) {
          for (let coefficient = -1; coefficient < rules2.coefficients.length; coefficient++) found.push({ gains: [...gains], wild, coefficient });
        }
        extend2(place);
        gains.pop();
      }
    };
    extend2(0);
    return found.sort(compareWays);
  }
  choices(ways, tier) {
    const laid = [];
    const weights = [];
    for (const way of ways) {
      const coefficient = way.coefficient < 0 ? 1 : this.rules.coefficients[way.coefficient];
      if (way.gains.reduce((sum, place) => sum + this.rules.combinations[place].gain, 0) * coefficient !== tier.amount) continue;
      const placements = this.placementsOf(way);
      if (placements.length === 0) continue;
      const fewest = Math.min(...placements.map((p) => p.free.length));
      const heavy = placements.map((p) => this.fillers.length ** (p.free.length - fewest) * (way.coefficient < 0 ? 1 : p.free.length));
      laid.push({ coefficient: way.coefficient, placements: new Choice(placements, heavy) });
      weights.push(weightOf(way, tier.first, this.rules));
    }
    if (laid.length === 0) throw new DefinitionError("a prize that no layout makes");
    return new Choice(laid, weights);
  }
  /** The placements of a way that count, in their order. */
  placementsOf(way) {
    const { rules: rules2 } = this;
    const found = [];
    const chosen = [];
    const place = (gain) => {
      if (gain === way.gains.length) {
        found.push(...this.placed(way, chosen));
        return;
      }
      const from = gain > 0 && way.gains[gain] === way.gains[gain - 1] ? chosen[gain - 1] + 1 : 0;
      for (let line = from; line < rules2.lines.length; line++) {
        if (chosen.includes(line)) continue;
        chosen.push(line);
        place(gain + 1);
        chosen.pop();
      }
    };
    place(0);
    return found;
  }
  /** The placements of a way on chosen lines: one, or one for each cell of the wild. */
  placed(way, chosen) {
    const covered = [...new Set(chosen.flatMap((line) => this.rules.lines[line]))].sort((a, b) => a - b);
    return (way.wild ? covered : [-1]).flatMap((wildCell) => {
      if (++this.placements > placementsMost) throw new DefinitionError("more placements than can be gone through here");
      const codes = new Int16Array(this.cells).fill(free);
      if (wildCell >= 0) codes[wildCell] = this.wild;
      for (let gain = 0; gain < chosen.length; gain++) {
        const code = this.combinationCode[way.gains[gain]];
        for (const cell of this.rules.lines[chosen[gain]]) {
          if (cell === wildCell) continue;
          if (codes[cell] !== free && codes[cell] !== code) return [];
          codes[cell] = code;
        }
      }
      const placement = { codes, free: [...codes.keys()].filter((cell) => codes[cell] === free), lines: chosen.length };
      return this.canBeFilled(placement, way.coefficient) ? [placement] : [];
    });
  }
  /** Whether choices 3 and 4 can be made so that exactly the placement's lines win. */
  canBeFilled(placement, coefficient) {
    if (coefficient < 0) return this.fill(Int16Array.from(placement.codes), placement.free, placement.lines);
    return placement.free.some((cell) => {
      const codes = Int16Array.from(placement.codes);
      codes[cell] = this.multiplierFrom + coefficient;
      return this.fill(codes, placement.free.filter((other) => other !== cell), placement.lines);
    });
  }
  fill(codes, cells, lines) {
    let steps = 0;
    const fillFrom = (at2) => {
      if (++steps > stepsMost) throw new DefinitionError("a placement that takes too long to fill here");
      if (this.winning(codes) > lines) return false;
      if (at2 === cells.length) return true;
      for (const filler of this.fillers) {
        codes[cells[at2]] = filler;
        if (fillFrom(at2 + 1)) return true;
      }
      codes[cells[at2]] = free;
      return false;
    };
    return fillFrom(0);
  }
  lay(tier, numbers, into) {
    const { fillers } = this;
    if (tier < 0) {
      for (let attempt = 0; attempt < attemptsMost; attempt++) {
        for (let cell = 0; cell < this.cells; cell++) into[cell] = fillers[below(numbers, fillers.length)];
        if (this.winning(into) === 0) return true;
      }
      return false;
    }
    const way = this.tiers[tier].pick(numbers);
    for (let attempt = 0; attempt < attemptsMost; attempt++) {
      const placement = way.placements.pick(numbers);
      const multiplierCell = way.coefficient < 0 ? -1 : placement.free[below(numbers, placement.free.length)];
      for (let cell = 0; cell < this.cells; cell++) {
        const code = placement.codes[cell];
        into[cell] = code !== free ? code : cell === multiplierCell ? this.multiplierFrom + way.coefficient : fillers[below(numbers, fillers.length)];
      }
      if (this.winning(into) === placement.lines) return true;
    }
    return false;
  }
  read(layout) {
    if (layout.length !== this.cells) return -1;
    let coefficient = 1;
    let multipliers = 0;
    let wilds = 0;
    for (let cell = 0; cell < layout.length; cell++) {
      const code = layout[cell];
      if (code >= this.codes) return -1;
      if (code === this.wild) wilds++;
      if (this.isMultiplier(code)) {
        multipliers++;
        coefficient = this.rules.coefficients[code - this.multiplierFrom];
      }
    }
    if (wilds > 1 || multipliers > 1) return -1;
    let sum = 0;
    for (const line of this.rules.lines) {
      const code = this.wins(layout, line);
      if (code >= 0) sum += this.gainOf[code];
    }
    return sum * coefficient;
  }
};

// src/deal.ts
var Dealer = class {
  /** Shuffles a block. It throws a DefinitionError when no layout makes one of the prizes. */
  constructor(definition, block3, secret, size) {
    this.definition = definition;
    this.size = size;
    const { tiers, rules: rules2 } = definition;
    this.mechanic = rules2 === void 0 ? void 0 : rules2.kind === "collect" ? new Collect(rules2, tiers) : new Lines(rules2, tiers);
    this.layouts = new Stream(new Aes256(keyOf(secret, block3, "layout")));
    this.salts = new Aes256(keyOf(secret, block3, "salt"));
    const cells = this.mechanic?.cells ?? 1;
    this.leaves = new UnitLeaves(block3, cells);
    this.unit = { tier: -1, prize: 0, layout: new Uint8Array(cells), salt: new Int32Array(4), laid: true, reads: true };
    this.tiers = new Int16Array(size).fill(-1);
    let at2 = 0;
    tiers.forEach(({ count: count2 }, tier) => {
      this.tiers.fill(tier, at2, at2 = Math.min(size, at2 + count2));
    });
    if (rules2 !== void 0) shuffle(this.tiers, new Stream(new Aes256(keyOf(secret, block3, "shuffle"))).start(0));
  }
  definition;
  size;
  unit;
  mechanic;
  tiers;
  layouts;
  salts;
  leaves;
  /** Deals a unit into the field of this name, and its leaf as eight words. */
  deal(index, leaf, at2) {
    const { unit, mechanic } = this;
    const tier = unit.tier = this.tiers[index];
    unit.prize = tier < 0 ? 0 : this.definition.tiers[tier].amount;
    this.layouts.start(index);
    if (mechanic === void 0) unit.layout[0] = below(this.layouts, this.definition.odds) === 0 ? 1 : 0;
    else {
      unit.laid = mechanic.lay(tier, this.layouts, unit.layout);
      unit.reads = unit.laid && mechanic.read(unit.layout) === unit.prize;
    }
    this.salts.encrypt(0, 0, 0, index, unit.salt);
    this.leaves.hash(index, unit.prize, unit.layout, unit.salt, leaf, at2);
    return unit;
  }
};

// src/files.ts
var definitionPath = (hash) => `definitions/${hash}.json`;
var tilesPath = (block3) => `blocks/${block3}.tiles`;
var salesPath = (block3) => `sales/${block3}.sales`;
function tilePath(level, tile2, width) {
  let groups = String(tile2 % 1e3).padStart(3, "0");
  for (let n = Math.floor(tile2 / 1e3); n > 0; n = Math.floor(n / 1e3)) groups = `x${String(n % 1e3).padStart(3, "0")}/${groups}`;
  return `log/tile/${level}/${groups}${width < 256 ? `.p/${width}` : ""}`;
}

// src/rules.ts
var timeBackMost = 10 * 60 * 1e3;
var sameBeacon = (a, b) => a === b || a !== void 0 && b !== void 0 && a.key === b.key && a.round === b.round && a.scheme === b.scheme;
var RuleBook = class {
  definitions = /* @__PURE__ */ new Map();
  // names, by hash
  emissions = /* @__PURE__ */ new Map();
  places = /* @__PURE__ */ new Map();
  // blocks, by emission and position
  ceremonies = /* @__PURE__ */ new Map();
  blocks = /* @__PURE__ */ new Map();
  last = 0;
  /** Says what is wrong with the next entry; undefined stands for one that could not be read. */
  follow(entry, index) {
    const where = `entry ${index}`;
    if (entry === void 0) return [{ code: "entry_malformed", where, what: "the entry is not of the form that log.md gives" }];
    const back = entry.at < this.last - timeBackMost;
    this.last = entry.at;
    const wrong = this.wrong(entry);
    if (wrong !== void 0) return [{ code: wrong[0], where, what: `${entry.kind}: ${wrong[1]}` }];
    return back ? [{ code: "time_goes_back", where, what: "its time is more than 10 minutes before that of the entry before" }] : [];
  }
  wrong(entry) {
    switch (entry.kind) {
      case "definition":
        this.definitions.set(entry.definition, entry.name);
        return void 0;
      case "emission":
        if (this.emissions.has(entry.emission)) return ["emission_unknown", "a second emission of one number"];
        this.emissions.set(entry.emission, entry);
        return void 0;
      case "ceremony":
        return this.ceremony(entry);
      case "contribution":
        return this.contribution(entry);
      case "abandonment": {
        const ceremony = this.ceremonies.get(entry.block);
        if (ceremony === void 0 || ceremony.abandoned || this.blocks.has(entry.block)) return ["ceremony_wrong", "there is no ceremony of this block that goes on"];
        ceremony.abandoned = true;
        if (this.places.get(placeOf(ceremony.entry)) === entry.block) this.places.delete(placeOf(ceremony.entry));
        return void 0;
      }
      case "seal":
        return this.seal(entry);
      default:
        return this.ofBlock(entry);
    }
  }
  ceremony(entry) {
    const wrong = this.wrongCeremony(entry);
    if (this.ceremonies.has(entry.block) || this.blocks.has(entry.block)) return wrong;
    if (!this.places.has(placeOf(entry))) this.places.set(placeOf(entry), entry.block);
    this.ceremonies.set(entry.block, { entry, contributions: [], abandoned: false });
    return wrong;
  }
  wrongCeremony(entry) {
    if (!(entry.position < (this.emissions.get(entry.emission)?.blocks ?? 0))) return ["emission_unknown", "no entry before it gives this place"];
    if (this.places.has(placeOf(entry))) return ["place_taken_twice", "the place has a block or a ceremony already"];
    if (this.ceremonies.has(entry.block) || this.blocks.has(entry.block)) return ["ceremony_wrong", "the block has a ceremony or a seal already"];
    return void 0;
  }
  contribution(entry) {
    const ceremony = this.ceremonies.get(entry.block);
    if (ceremony === void 0 || ceremony.abandoned) return ["ceremony_wrong", "there is no ceremony of this block"];
    if (this.blocks.has(entry.block)) return ["ceremony_wrong", "the block is sealed already"];
    if (!ceremony.entry.parties.includes(entry.party)) return ["ceremony_wrong", `${entry.party} is no party of the ceremony`];
    if (ceremony.contributions.some(({ party }) => party === entry.party)) return ["ceremony_wrong", `${entry.party} contributed already`];
    ceremony.contributions.push(entry);
    return void 0;
  }
  seal(entry) {
    const wrong = this.wrongSeal(entry);
    if (this.blocks.has(entry.block)) return wrong;
    this.blocks.set(entry.block, { seal: entry, approved: false, sold: 0, roots: /* @__PURE__ */ new Map(), withdrawn: false, opened: false });
    if (!this.places.has(placeOf(entry))) this.places.set(placeOf(entry), entry.block);
    return wrong;
  }
  wrongSeal(entry) {
    if (this.definitions.get(entry.definition) !== entry.game) return ["definition_unknown", "no entry before it published this definition of the game"];
    const emission = this.emissions.get(entry.emission);
    if (emission === void 0 || emission.game !== entry.game || emission.stake !== entry.stake || entry.position >= emission.blocks) return ["emission_unknown", "no entry before it gives this emission, game, stake and position"];
    if (this.blocks.has(entry.block)) return ["block_sealed_twice", `block ${entry.block} has a seal already`];
    const holder = this.places.get(placeOf(entry));
    if (holder !== void 0 && holder !== entry.block) return ["place_taken_twice", `the place is that of block ${holder}`];
    const ceremony = this.ceremonies.get(entry.block);
    if (ceremony === void 0) {
      return entry.contributions === void 0 && entry.beacon === void 0 ? void 0 : ["ceremony_wrong", "it names contributions or a beacon, and there was no ceremony"];
    }
    if (ceremony.abandoned) return ["ceremony_wrong", "the ceremony of this block was abandoned"];
    if (placeOf(ceremony.entry) !== placeOf(entry)) return ["ceremony_wrong", "the ceremony was for another place"];
    const given = entry.contributions ?? [];
    const complete = given.length === ceremony.entry.parties.length && ceremony.entry.parties.every((party, place) => given[place].party === party && ceremony.contributions.some((made) => made.party === party && made.commitment === given[place].commitment));
    if (!complete) return ["ceremony_wrong", "its contributions are not those that the parties made"];
    return sameBeacon(entry.beacon, ceremony.entry.beacon) ? void 0 : ["ceremony_wrong", "its beacon is not that of the ceremony"];
  }
  ofBlock(entry) {
    const block3 = this.blocks.get(entry.block);
    if (block3 === void 0) return ["block_unknown", `block ${entry.block} has no seal before it`];
    switch (entry.kind) {
      case "approval":
        if (block3.approved) return ["approval_wrong", "the block is approved already"];
        block3.approved = true;
        if (entry.by === block3.seal.by) return ["approval_wrong", `${entry.by} dealt the block`];
        return block3.opened ? ["approval_wrong", "the block is open already"] : void 0;
      case "jackpot-win":
        return block3.opened ? ["sale_not_allowed", "the block is open already"] : void 0;
      case "opening":
        return opening(block3, entry);
      default:
        return sales(block3, entry);
    }
  }
};
var placeOf = (entry) => `${entry.emission}/${entry.position}`;
function opening(block3, _) {
  if (block3.opened) return ["opened_too_early", "the block was opened already"];
  block3.opened = true;
  return block3.withdrawn || block3.sold >= block3.seal.size ? void 0 : ["opened_too_early", "the block is neither sold out nor withdrawn"];
}
function sales(block3, entry) {
  const wrong = wrongSales(block3, entry);
  if (!block3.roots.has(entry.sold)) block3.roots.set(entry.sold, entry.root);
  block3.sold = entry.sold;
  if (entry.kind === "withdrawal") block3.withdrawn = true;
  return wrong;
}
function wrongSales(block3, entry) {
  if (!block3.approved && (entry.kind === "sales" || entry.sold > 0)) return ["sale_not_allowed", "the block is not approved"];
  if (block3.opened) return ["sale_not_allowed", "the block is open already"];
  if (block3.withdrawn && (entry.kind === "withdrawal" || entry.sold > block3.sold)) return ["sale_not_allowed", "the block was withdrawn"];
  if (entry.sold < block3.sold) return ["sales_go_back", `${entry.sold} sold, after ${block3.sold}`];
  if (entry.sold > block3.seal.size) return ["sales_go_back", `${entry.sold} sold of ${block3.seal.size}`];
  const root = block3.roots.get(entry.sold);
  if (root !== void 0 && root !== entry.root) return ["sales_go_back", `two roots over ${entry.sold} sales`];
  return void 0;
}

// src/tree.ts
var one = new Uint8Array([1]);
var inner = (left, right) => sha256(one, left, right);
var emptyRoot = () => sha256();
function included(leaf, index, size, path2, root) {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let fn = index;
  let sn = size - 1;
  let hash = leaf;
  for (const step of path2) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      hash = inner(step, hash);
      while (fn % 2 === 0 && fn !== 0) {
        fn = Math.floor(fn / 2);
        sn = Math.floor(sn / 2);
      }
    } else hash = inner(hash, step);
    fn = Math.floor(fn / 2);
    sn = Math.floor(sn / 2);
  }
  return sn === 0 && same(hash, root);
}
var GrowingTree = class {
  count = 0;
  peaks = new Int32Array(8 * 56);
  // the roots of the full subtrees, largest first, as words
  height = 0;
  // how many peaks there are
  get size() {
    return this.count;
  }
  /** Adds a leaf of eight words. */
  add(words, at2) {
    for (let k = 0; k < 8; k++) this.peaks[8 * this.height + k] = words[at2 + k];
    this.height++;
    for (let n = this.count; n % 2 === 1; n = Math.floor(n / 2)) {
      this.height--;
      node(this.peaks, 8 * (this.height - 1), 8 * this.height, this.peaks, 8 * (this.height - 1));
    }
    this.count++;
  }
  addBytes(leaf) {
    this.add(wordsOf(leaf), 0);
  }
  /** The root over the leaves so far. */
  root() {
    if (this.height === 0) return emptyRoot();
    const edge = this.peaks.slice(0, 8 * this.height);
    for (let last = this.height - 1; last > 0; last--) node(edge, 8 * (last - 1), 8 * last, edge, 8 * (last - 1));
    return bytesOf(edge, 0);
  }
};
function raise(words, count2) {
  const pairs = count2 >> 1;
  for (let at2 = 0; at2 < pairs; at2++) node(words, 16 * at2, 16 * at2 + 8, words, 8 * at2);
  if (count2 % 2 === 1 && pairs > 0) words.copyWithin(8 * pairs, 16 * pairs, 16 * pairs + 8);
  return pairs + count2 % 2;
}
function rootOf(words, count2) {
  if (count2 === 0) return emptyRoot();
  for (let left = count2; left > 1; ) left = raise(words, left);
  return bytesOf(words, 0);
}
function rootOfBytes(leaves) {
  const tree = new GrowingTree();
  for (const leaf of leaves) tree.addBytes(leaf);
  return tree.root();
}
async function auditPath(index, from, to, subtree) {
  if (to - from <= 1) return [];
  const middle = from + largestPowerBelow(to - from);
  if (index < middle) return [...await auditPath(index, from, middle, subtree), await subtree(middle, to)];
  return [...await auditPath(index, middle, to, subtree), await subtree(from, middle)];
}
function largestPowerBelow(n) {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}
var subtreeOf = (leaves) => async (from, to) => rootOfBytes(leaves.slice(from, to));

// src/audit.ts
var progressEach = 2e4;
function storyOf(log2, block3) {
  const story = { sales: [], wins: [] };
  log2.entries.forEach(({ entry }, index) => {
    if (entry === void 0 || !("block" in entry) || entry.block !== block3) return;
    if (entry.kind === "seal" && story.seal === void 0) {
      story.seal = entry;
      story.sealIndex = index;
    } else if (entry.kind === "approval") story.approval ??= entry.at;
    else if (entry.kind === "opening") story.opening ??= entry;
    else if (entry.kind === "sales" || entry.kind === "withdrawal") story.sales.push(entry);
    else if (entry.kind === "jackpot-win") story.wins.push(entry);
  });
  if (story.seal === void 0) throw new InputError("block_not_open", `the log has no seal of block ${block3}`);
  if (story.opening === void 0) throw new InputError("block_not_open", `block ${block3} is not open: the log has no opening of it`);
  return { approval: void 0, ...story };
}
async function checkBlock(files, log2, block3, progress = () => {
}) {
  const story = storyOf(log2, block3);
  return new Audit(files, log2, story, progress).run();
}
var Audit = class {
  constructor(files, log2, story, progress) {
    this.files = files;
    this.log = log2;
    this.story = story;
    this.progress = progress;
    const { seal, sales: sales2, opening: opening2 } = story;
    this.id = unhex(seal.block);
    this.secret = unhex(opening2.secret);
    const sold = Math.min(Math.max(0, ...sales2.map((entry) => entry.sold)), seal.size);
    this.report = { block: seal.block, game: seal.game, stake: seal.stake, size: seal.size, sold, prizes_sold: 0, prizes_unsold: 0, tiers: [], wins: 0, findings: [], notes: [] };
  }
  files;
  log;
  story;
  progress;
  report;
  id;
  secret;
  find(code, where, what) {
    this.report.findings.push({ code, where, what });
  }
  note(code, what) {
    this.report.notes.push({ code, what });
  }
  async run() {
    const definition = await this.definition();
    if (!same(commitment(this.id, this.secret), unhex(this.story.seal.commitment))) this.find("commitment_wrong", "opening", "the secret is not the one that the seal commits to");
    this.contributions();
    this.derivable();
    const dealt = definition === void 0 || this.report.findings.some(({ code }) => code.startsWith("definition_")) ? void 0 : this.units(definition);
    if (dealt === void 0) this.note("units_unchecked", "without the sealed definition no unit can be dealt: units, prizes and wins were not checked");
    await this.tree(dealt?.leaves);
    await this.sales();
    if (dealt !== void 0 && definition !== void 0) this.wins(dealt.winners, definition);
    return this.report;
  }
  async definition() {
    const { seal } = this.story;
    const path2 = definitionPath(seal.definition);
    const bytes2 = await this.files.read(path2);
    if (bytes2 === void 0) {
      this.find("definition_missing", path2, "the file is missing");
      return void 0;
    }
    const wrong = (what) => this.find("definition_wrong", path2, what);
    let document;
    try {
      document = parse(text(bytes2) ?? "");
      const definition = readDefinition(document, seal.stake);
      if (hex(definitionHash(bytes2)) !== seal.definition) wrong("its hash is not the one that the seal names");
      else if (canonical(document) !== text(bytes2)) wrong("it is not canonical JSON");
      else if (definition.size !== seal.size) wrong(`a block has ${definition.size} units, and the seal says ${seal.size}`);
      else if (definition.price !== seal.price) wrong("its price is not the seal's");
      else if (definition.name !== seal.game) wrong(`it is of ${definition.name}, and the seal of ${seal.game}`);
      return definition;
    } catch (error) {
      if (!(error instanceof JsonError) && !(error instanceof DefinitionError)) throw error;
      if (error instanceof TableError) this.find("prizes_not_table", path2, error.message);
      else wrong(error.message);
      return void 0;
    }
  }
  /** Step 3: the secret is mixed from the shares that were committed to. */
  contributions() {
    const { seal, opening: opening2 } = this.story;
    const promised = seal.contributions ?? [];
    const shares = opening2.shares ?? [];
    const given = [];
    for (const { party, commitment: made } of promised) {
      const share = shares.find((one3) => one3.party === party)?.share;
      if (share === void 0) this.find("share_wrong", party, "the share is missing");
      else if (hex(shareCommitment(this.id, party, unhex(share))) !== made) this.find("share_wrong", party, "the share is not the one that was committed to");
      else given.push({ party, share: unhex(share) });
    }
    for (const { party } of shares) if (!promised.some((one3) => one3.party === party)) this.find("share_wrong", party, "nobody of this name committed to a share");
    if (seal.beacon !== void 0) {
      if (opening2.signature === void 0) {
        this.find("beacon_wrong", "opening", "the signature of the beacon's round is missing");
        return;
      }
      this.note("beacon_unchecked", "the beacon's signature was not verified: this checker has no BLS; only the mix of it was checked");
    }
    if (promised.length === 0 || given.length < promised.length) return;
    const beacon2 = seal.beacon === void 0 ? new Uint8Array(0) : sha256(unhex(opening2.signature));
    if (!same(mixed(this.id, given, beacon2), this.secret)) this.find("mix_wrong", "opening", "the secret is not mixed from the shares");
  }
  /** Step 4: whatever was published before the seal gives no secret away. */
  derivable() {
    const { seal, sealIndex, opening: opening2 } = this.story;
    const secrets = new Map([[opening2.secret, "the secret"], ...(opening2.shares ?? []).map(({ party, share }) => [share, `the share of ${party}`])]);
    const told = /* @__PURE__ */ new Set();
    const try1 = (x, from) => {
      for (const candidate of [hex(x), hex(sha256(x))]) {
        const found = secrets.get(candidate);
        if (found === void 0 || told.has(found)) continue;
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
      const { source, leaf, entry } = this.log.entries[index];
      try1(source, `entry ${index}`);
      try1(leaf, `the leaf of entry ${index}`);
      if (entry?.kind === "opening") try1(unhex(entry.secret), `the secret that entry ${index} opened`);
    }
  }
  /** Step 5. Leaves are missing where a unit could not be dealt as it should be; so is all when there is no dealer. */
  units(definition) {
    const { size, sold } = this.report;
    let dealer;
    try {
      dealer = new Dealer(definition, this.id, this.secret, size);
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      this.find("layout_not_prize", definitionPath(this.story.seal.definition), error.message);
      return void 0;
    }
    const leaves = new Int32Array(8 * size);
    const winners = /* @__PURE__ */ new Set();
    const counts = definition.tiers.map(() => ({ dealt: 0, sold: 0 }));
    let unread = 0;
    for (let index = 0; index < size; index++) {
      const unit = dealer.deal(index, leaves, 8 * index);
      if (!unit.reads && unread++ === 0) this.find("layout_not_prize", `unit ${index}`, unit.laid ? "the layout does not read as the prize" : "no layout was found in 1000 attempts");
      if (unit.tier >= 0) {
        counts[unit.tier].dealt++;
        if (index < sold) counts[unit.tier].sold++;
      } else if (definition.kind === "jackpot" && unit.layout[0] === 1) winners.add(index);
      if (index % progressEach === 0) this.progress("units", index, size);
    }
    this.progress("units", size, size);
    this.prizes(definition, counts);
    return { leaves: unread === 0 ? leaves : void 0, winners };
  }
  prizes(definition, counts) {
    this.report.tiers = definition.tiers.map(({ amount: amount2, count: count2 }, tier) => ({ amount: amount2, table: count2, ...counts[tier] }));
    const wrong = this.report.tiers.find(({ table, dealt }) => dealt !== table);
    if (wrong !== void 0) this.find("prizes_not_table", `prize ${wrong.amount}`, `${wrong.dealt} were dealt, and the table has ${wrong.table}`);
    for (const { amount: amount2, dealt, sold } of this.report.tiers) {
      this.report.prizes_sold += amount2 * sold;
      this.report.prizes_unsold += amount2 * (dealt - sold);
    }
  }
  /** Step 6. The leaves are used up. Without them the published ones are compared with the seal alone. */
  async tree(leaves) {
    const { size, root, block: block3 } = this.story.seal;
    const path2 = tilesPath(block3);
    this.progress("tree", 0, 1);
    const bytes2 = await this.files.read(path2);
    const right = bytes2?.length === 32 * hashesOf(size);
    const published = bytes2 === void 0 || !right ? void 0 : wordsOf(bytes2);
    const differing = leaves === void 0 || published === void 0 ? void 0 : compare(leaves, published, 0, size);
    const agree = differing?.count === 0;
    const own = leaves === void 0 ? void 0 : this.levels(leaves, agree ? published : void 0);
    if (own !== void 0 && hex(own.root) !== root) this.find("root_wrong", "seal", "the units do not give the root of the seal");
    if (bytes2 === void 0) this.find("tiles_missing", path2, "the file is missing");
    else if (published === void 0) this.find("tiles_wrong", path2, `the file has ${bytes2.length} bytes, and the hashes of the block have ${32 * hashesOf(size)}`);
    else {
      if (differing !== void 0 && !agree) this.find("leaf_wrong", `unit ${differing.first}`, `the leaf of ${differing.count === 1 ? "this unit" : `${differing.count} units, this one the first,`} is not the published one`);
      const theirs = own !== void 0 && agree ? own : this.levels(published.slice(0, 8 * size), published);
      if (hex(theirs.root) !== root) this.find("tiles_wrong", path2, "its leaves do not give the root of the seal");
      else if (theirs.wrong !== void 0) this.find("tiles_wrong", path2, theirs.wrong);
    }
    this.progress("tree", 1, 1);
  }
  /** The root over leaves, comparing the higher levels of published tiles on the way. */
  levels(words, published) {
    const { size } = this.story.seal;
    let wrong;
    let count2 = size;
    let full = size;
    let from = size;
    for (let height = 1; count2 > 1; height++) {
      count2 = raise(words, count2);
      if (height % 8 !== 0) continue;
      full = Math.floor(full / 256);
      const differing = published === void 0 ? void 0 : compare(words, published, from, full);
      if (differing !== void 0 && differing.count > 0) wrong ??= `hash ${differing.first} of level ${height / 8} is not that of the hashes below it`;
      from += full;
    }
    return { root: rootOf(words, 1), wrong };
  }
  /** Steps 7 and 8. */
  async sales() {
    const { seal, sales: entries } = this.story;
    const { sold } = this.report;
    if (sold === 0 && entries.length === 0) return;
    const path2 = salesPath(seal.block);
    const bytes2 = await this.files.read(path2) ?? new Uint8Array(0);
    const held = Math.min(sold, Math.floor(bytes2.length / 24));
    if (held < sold) this.find("sales_missing", path2, `the file has ${held} sales, and ${sold} were sold`);
    const participations = this.ofParticipations();
    if (participations) this.note("plays_unchecked", "participations are sold by the plays of their units, which are in other blocks: only a play that comes twice would be found");
    const seen = /* @__PURE__ */ new Set();
    const salts = new Aes256(keyOf(this.secret, this.id, "salt"));
    const salt = new Int32Array(4);
    const view = new DataView(bytes2.buffer, bytes2.byteOffset, bytes2.byteLength);
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
      const at2 = 24 * index;
      if (participations) {
        const given = hex(bytes2.subarray(at2, at2 + 16));
        if (seen.has(given)) others.add(index);
        seen.add(given);
      } else {
        salts.encrypt(0, 0, 0, index, salt);
        plays.hash(index, salt, 0, play);
        for (let word = 0; word < 4; word++) if (view.getInt32(at2 + 4 * word) !== play[word]) {
          others.add(index);
          break;
        }
      }
      const time = view.getUint32(at2 + 16) * 2 ** 32 + view.getUint32(at2 + 20);
      if (!windows.allow(index, time) || time < before - timeBackMost) late.add(index);
      before = time;
      leaves.hash(index, bytes2, at2, leaf);
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
  ofParticipations() {
    const { definition } = this.story.seal;
    return this.log.entries.some(({ entry }) => entry?.kind === "definition" && entry.definition === definition && entry.type === "jackpot");
  }
  wrongRoots = [];
  rootsFrom = 0;
  // in order
  inOrder;
  /** Compares the roots of the entries that cover exactly the sales so far. */
  rootsAt(entries, tree) {
    this.inOrder ??= [...entries].sort((a, b) => a.sold - b.sold);
    for (; this.rootsFrom < this.inOrder.length && this.inOrder[this.rootsFrom].sold === tree.size; this.rootsFrom++) {
      const entry = this.inOrder[this.rootsFrom];
      if (hex(tree.root()) !== entry.root) this.wrongRoots.push(`${entry.kind} of ${entry.sold}`);
    }
  }
  /** Step 9. */
  wins(winners, definition) {
    const { wins, seal } = this.story;
    const { sold } = this.report;
    const told = /* @__PURE__ */ new Set();
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
};
function potAfter(definition, since) {
  const exact = BigInt(definition.start) + BigInt(since) * BigInt(definition.share);
  return (exact + 99n) / 100n * 100n;
}
function hashesOf(size) {
  let sum = 0;
  for (let level = size; level > 0; level = Math.floor(level / 256)) sum += level;
  return sum;
}
function compare(words, published, from, count2) {
  const tally = new Tally();
  for (let index = 0; index < count2; index++) {
    for (let word = 0; word < 8; word++) {
      if (words[8 * index + word] !== published[8 * (from + index) + word]) {
        tally.add(index);
        break;
      }
    }
  }
  return tally;
}
var Tally = class {
  count = 0;
  first = -1;
  add(index) {
    if (this.count++ === 0) this.first = index;
  }
  get said() {
    return this.count === 1 ? "this sale" : `${this.count} sales, this one the first,`;
  }
};
var Windows = class {
  covers = [];
  current = 0;
  constructor(entries, approval) {
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
  allow(index, time) {
    while (this.covers[this.current].sold <= index) this.current++;
    const { from, to } = this.covers[this.current];
    return time >= from && time <= to;
  }
};

// src/entries.ts
var entryBytesMost = 65535;
var number = (value) => typeof value === "number";
var count = (value) => typeof value === "number" && value < 2 ** 32;
var textOf = (most) => (value) => typeof value === "string" && value !== "" && utf8(value).length <= most;
var name = (value) => typeof value === "string" && value.length <= 40 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(value);
var digest = (value) => typeof value === "string" && isHex(value, 32);
var identifier = (value) => typeof value === "string" && isHex(value, 16);
var bytes = (value) => typeof value === "string" && value !== "" && value.length <= 2 * 200 && isHex(value);
var by = textOf(100);
var why = textOf(500);
var one2 = (value) => value === 1;
var oneOf = (...values) => (value) => typeof value === "string" && values.includes(value);
var listOf = (check) => (value) => {
  if (!Array.isArray(value) || value.length < 1 || value.length > 100 || !value.every(check)) return false;
  return new Set(value.map((element) => isObject(element) ? element["party"] : element)).size === value.length;
};
var shaped = (keys) => (value) => {
  if (!isObject(value)) return false;
  const known = new Map(Object.entries(keys).map(([key, check]) => [key.replace("?", ""), check]));
  return Object.keys(value).every((key) => known.get(key)?.(value[key]) === true) && Object.keys(keys).every((key) => key.endsWith("?") || key in value);
};
var beacon = shaped({ key: bytes, round: number, scheme: name });
var common = { kind: name, version: one2, at: number };
var kinds = {
  definition: shaped({ ...common, name, type: oneOf("game", "jackpot"), definition: digest }),
  emission: shaped({ ...common, emission: number, game: name, stake: count, blocks: count }),
  ceremony: shaped({ ...common, block: identifier, emission: number, position: count, parties: listOf(name), "beacon?": beacon }),
  contribution: shaped({ ...common, block: identifier, party: name, commitment: digest }),
  abandonment: shaped({ ...common, block: identifier, by, why }),
  seal: shaped({
    ...common,
    block: identifier,
    format: one2,
    game: name,
    definition: digest,
    stake: count,
    price: number,
    size: count,
    root: digest,
    commitment: digest,
    emission: number,
    position: count,
    by,
    "contributions?": listOf(shaped({ party: name, commitment: digest })),
    "beacon?": beacon
  }),
  approval: shaped({ ...common, block: identifier, by, why }),
  sales: shaped({ ...common, block: identifier, sold: count, root: digest }),
  "jackpot-win": shaped({ ...common, jackpot: name, block: identifier, index: count, amount: number, since: number }),
  withdrawal: shaped({ ...common, block: identifier, sold: count, root: digest, by, why }),
  opening: shaped({ ...common, block: identifier, secret: digest, "shares?": listOf(shaped({ party: name, share: digest })), "signature?": bytes })
};
function readEntry(source) {
  if (source.length > entryBytesMost || utf8(source).length > entryBytesMost) return void 0;
  let value;
  try {
    value = parse(source);
  } catch (error) {
    if (error instanceof JsonError) return void 0;
    throw error;
  }
  if (!isObject(value) || canonical(value) !== source) return void 0;
  const check = Object.hasOwn(kinds, String(value["kind"])) ? kinds[value["kind"]] : void 0;
  return check?.(value) === true ? value : void 0;
}
var readEntryBytes = (source) => {
  const written = text(source);
  return written === void 0 ? void 0 : readEntry(written);
};

// src/note.ts
var noteBytesMost = 65536;
var signaturesMost = 100;
var operator = 1;
var witness = 4;
var named = (name2) => name2 !== "" && !/[+\s\u0085]/u.test(name2);
function readKey(written) {
  const parts = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(written.trim());
  const data = parts === null ? void 0 : unbase64(parts[3]);
  const name2 = parts?.[1] ?? "";
  if (parts === null || data === void 0 || data.length !== 33 || !named(name2)) {
    throw new InputError("key_malformed", "this is not the text of a public key: NAME+HASH+KEY");
  }
  const hash = sha256(utf8(name2 + "\n"), data).slice(0, 4);
  if (hex(hash) !== parts[2] || data[0] !== operator && data[0] !== witness) throw new InputError("key_malformed", "the hash of this public key is not that of its name and bytes");
  return { name: name2, hash, algorithm: data[0], bytes: data.slice(1) };
}
async function hasEd25519() {
  try {
    await crypto.subtle.importKey("raw", unbase64("11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="), "Ed25519", false, ["verify"]);
    return true;
  } catch {
    return false;
  }
}
async function signed(key, signature, message) {
  if (globalThis.crypto?.subtle === void 0 || !await hasEd25519()) {
    throw new InputError("ed25519_missing", "Ed25519 signatures cannot be verified here: another browser, or a secure (https) page, is needed");
  }
  try {
    return await crypto.subtle.verify("Ed25519", await crypto.subtle.importKey("raw", key.bytes, "Ed25519", false, ["verify"]), signature, message);
  } catch {
    return false;
  }
}
function taken(note) {
  if (note.length > noteBytesMost || /[\u0000-\u0009\u000b-\u001f\u007f\ufffd]/.test(note) || new RegExp("\\p{Surrogate}", "u").test(note)) return void 0;
  const split = note.lastIndexOf("\n\n");
  if (split < 0 || !note.endsWith("\n")) return void 0;
  const lines = [];
  const written = note.slice(split + 2, -1).split("\n");
  if (written.length > signaturesMost) return void 0;
  for (const line of written) {
    const parts = /^\u2014 (\S+) (\S+)$/.exec(line);
    const data = parts === null ? void 0 : unbase64(parts[2]);
    if (parts === null || data === void 0 || data.length < 5 || !named(parts[1])) return void 0;
    lines.push({ name: parts[1], hash: data.slice(0, 4), signature: data.slice(4) });
  }
  return { message: note.slice(0, split + 1), lines };
}
var isNote = (note) => taken(note) !== void 0;
var linesOf2 = (lines, key) => lines.filter((line) => line.name === key.name && same(line.hash, key.hash));
async function openCheckpoint(note, key, witnesses = []) {
  const parts = taken(note);
  if (parts === void 0 || key.algorithm !== operator) return "checkpoint_signature_wrong";
  const [own] = linesOf2(parts.lines, key);
  if (own === void 0 || own.signature.length !== 64 || !await signed(key, own.signature, utf8(parts.message))) return "checkpoint_signature_wrong";
  const [origin, size, root] = parts.message.split("\n");
  const bytes2 = unbase64(root ?? "");
  if (origin !== key.name || !/^(?:0|[1-9][0-9]{0,15})$/.test(size ?? "") || !Number.isSafeInteger(Number(size)) || bytes2?.length !== 32) return "checkpoint_signature_wrong";
  for (const one3 of witnesses) if (!await cosigned(parts, one3)) return "cosignature_missing";
  return { origin, size: Number(size), root: bytes2, note };
}
async function cosigned(parts, key) {
  if (key.algorithm !== witness) throw new InputError("key_malformed", "a witness has a key of its own kind (algorithm byte 4)");
  for (const { signature } of linesOf2(parts.lines, key)) {
    if (signature.length !== 72) continue;
    const time = new DataView(signature.buffer, signature.byteOffset, 8).getBigUint64(0);
    if (await signed(key, signature.slice(8), utf8(`cosignature/v1
time ${time}
${parts.message}`))) return true;
  }
  return false;
}
var noteText = (bytes2) => text(bytes2) ?? "";

// src/log.ts
var entriesMost = 4e6;
var Unreadable = class extends Error {
  constructor(where, what) {
    super(what);
    this.where = where;
  }
  where;
};
async function checkLog(files, options) {
  const log2 = { checkpoint: void 0, entries: [], findings: [] };
  const find = (code, where, what) => {
    log2.findings.push({ code, where, what });
  };
  const note = await files.read("log/checkpoint");
  if (note === void 0) {
    find("log_unreadable", "log/checkpoint", "the file is missing");
    return log2;
  }
  if (!isNote(noteText(note))) {
    find("log_unreadable", "log/checkpoint", "the file is no signed note");
    return log2;
  }
  const checkpoint = await openCheckpoint(noteText(note), options.key, options.witnesses);
  if (typeof checkpoint === "string") {
    find(checkpoint, "log/checkpoint", said[checkpoint]);
    return log2;
  }
  log2.checkpoint = checkpoint;
  try {
    await readEntries(files, checkpoint.size, log2.entries, options.progress);
    const leaves = log2.entries.map(({ leaf }) => leaf);
    if (!same(rootOfBytes(leaves), checkpoint.root)) find("log_root_wrong", "log/checkpoint", "the entries do not give the root of the checkpoint");
    else await checkTiles(files, leaves, find);
    if (options.older !== void 0) await compareOlder(options.older, options, checkpoint, leaves, find);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    find("log_unreadable", error.where, error.message);
  }
  const rules2 = new RuleBook();
  log2.entries.forEach(({ entry }, index) => log2.findings.push(...rules2.follow(entry, index)));
  return log2;
}
var said = {
  checkpoint_signature_wrong: "the checkpoint is not signed by this key",
  cosignature_missing: "a witness that was asked for did not cosign the checkpoint"
};
async function tile(files, level, index, width) {
  for (const path2 of [tilePath(level, index, width), tilePath(level, index, 256)]) {
    const bytes2 = await files.read(path2);
    if (bytes2 !== void 0) return [bytes2, path2];
  }
  throw new Unreadable(tilePath(level, index, width), "the file is missing");
}
async function readEntries(files, size, into, progress) {
  if (size > entriesMost) throw new InputError("too_large", `a log of more than ${entriesMost} entries is not read here`);
  for (let index = 0; into.length < size; index++) {
    const width = Math.min(256, size - into.length);
    const [bundle, path2] = await tile(files, "entries", index, width);
    let at2 = 0;
    for (let k = 0; k < width; k++) {
      const length = bundle.length < at2 + 2 ? -1 : bundle[at2] << 8 | bundle[at2 + 1];
      if (length < 0 || bundle.length < at2 + 2 + length) throw new Unreadable(path2, `the file ends within entry ${into.length}`);
      const source = bundle.slice(at2 + 2, at2 + 2 + length);
      into.push({ source, leaf: entryLeaf(source), entry: readEntryBytes(source) });
      at2 += 2 + length;
    }
    if (at2 < bundle.length && path2 === tilePath("entries", index, width)) throw new Unreadable(path2, "something follows the last entry");
    progress?.(into.length, size);
  }
}
async function checkTiles(files, leaves, find) {
  for (let level = 0, hashes = leaves; hashes.length > 0; level++) {
    const next = [];
    for (let index = 0; index * 256 < hashes.length; index++) {
      const own = hashes.slice(index * 256, index * 256 + 256);
      const [bytes2, path2] = await tile(files, level, index, own.length);
      if (bytes2.length % 32 !== 0 || bytes2.length < 32 * own.length) throw new Unreadable(path2, "the file is not as long as its hashes");
      if (!own.every((hash, k) => same(hash, bytes2.subarray(32 * k, 32 * k + 32)))) find("log_root_wrong", path2, "the tile does not hold the hashes that the entries give");
      if (own.length === 256) next.push(rootOfBytes(own));
    }
    hashes = next;
  }
}
async function compareOlder(older, options, checkpoint, leaves, find) {
  const before = await openCheckpoint(older, options.key);
  const where = "the older checkpoint";
  if (typeof before === "string") find(before, where, said[before]);
  else if (before.size === checkpoint.size) {
    if (!same(before.root, checkpoint.root)) find("split_view", where, `two roots over ${before.size} entries are signed`);
  } else if (before.size > checkpoint.size) find("log_rolled_back", where, `the log has ${checkpoint.size} entries, and had ${before.size}`);
  else if (!same(rootOfBytes(leaves.slice(0, before.size)), before.root)) find("log_rolled_back", where, `the first ${before.size} entries are not those that were signed`);
}
var logSubtree = (log2) => subtreeOf(log2.entries.map(({ leaf }) => leaf));

// src/link.ts
function readLink(written) {
  const parts = /^(?:\S*#)?([0-9a-f]{32})\.([0-9a-f]{32})\.([0-9]{1,16})\.([0-9]{1,16})\.([0-9a-f]*)\.([0-9a-f]{32})\.([0-9]{1,16})$/.exec(written.trim());
  if (parts === null || !isHex(parts[5])) return void 0;
  const numbers = [parts[3], parts[4], parts[7]].map(Number);
  if (!numbers.every(Number.isSafeInteger)) return void 0;
  return { play: parts[1], block: parts[2], index: numbers[0], prize: numbers[1], layout: parts[5], salt: parts[6], at: numbers[2] };
}
async function completeLink(link, files, options) {
  const log2 = await checkLog(files, options);
  const missing = (what) => {
    throw new InputError("play_not_published", what);
  };
  if (log2.checkpoint === void 0 || log2.entries.length < log2.checkpoint.size) return missing("the published log cannot be read, or is not signed by this key");
  const sealAt = log2.entries.findIndex(({ entry }) => entry?.kind === "seal" && entry.block === link.block);
  if (sealAt < 0) return missing("the published log has no seal of this block");
  const seal = log2.entries[sealAt].entry;
  if (link.index >= seal.size) return missing("the block has no such unit");
  const part2 = {
    index: link.index,
    prize: link.prize,
    layout: link.layout,
    salt: link.salt,
    path: (await auditPath(link.index, 0, seal.size, tilesSubtree(files, link.block, seal.size))).map(hex),
    seal: await proven(log2, sealAt)
  };
  const salesAt = log2.entries.findIndex(({ entry }) => entry?.kind === "sales" && entry.block === link.block && entry.sold > link.index);
  if (salesAt >= 0) {
    const { entry, index, path: path2 } = await proven(log2, salesAt);
    part2.sales = { path: await salePath(files, link, log2.entries[salesAt].entry.sold), entry, index, log: path2 };
  }
  return { format: "talon-receipt/1", play: link.play, at: link.at, unit: part2, checkpoint: log2.checkpoint.note };
}
async function proven(log2, index) {
  const path2 = await auditPath(index, 0, log2.entries.length, logSubtree(log2));
  return { entry: new TextDecoder().decode(log2.entries[index].source), index, path: path2.map(hex) };
}
function tilesSubtree(files, block3, size) {
  const subtree = async (from, to) => {
    const leaves = to - from;
    let level = 0;
    let begins = 0;
    let step = 1;
    while (step * 256 <= leaves && leaves % (step * 256) === 0 && from % (step * 256) === 0) {
      begins += Math.floor(size / step);
      step *= 256;
      level++;
    }
    const power = leaves / step;
    if (power > 256 || (power & power - 1) !== 0) {
      let left = 1;
      while (left * 2 < leaves) left *= 2;
      const [a, b] = [await subtree(from, from + left), await subtree(from + left, to)];
      return rootOfBytes([a, b]);
    }
    const bytes2 = await files.part(tilesPath(block3), 32 * (begins + from / step), 32 * power);
    if (bytes2?.length !== 32 * power) throw new InputError("play_not_published", `the published hashes of the block are missing or too short (level ${level})`);
    return rootOfBytes(Array.from({ length: power }, (_, k) => bytes2.slice(32 * k, 32 * k + 32)));
  };
  return subtree;
}
async function salePath(files, link, sold) {
  const bytes2 = await files.part(salesPath(link.block), 0, 24 * sold);
  if (bytes2?.length !== 24 * sold) throw new InputError("play_not_published", "the published sales of the block are missing or too short");
  const leaves = new SaleLeaves(unhex(link.block));
  const leaf = new Int32Array(8);
  const subtree = async (from, to) => {
    const tree = new GrowingTree();
    for (let index = from; index < to; index++) {
      leaves.hash(index, bytes2, 24 * index, leaf);
      tree.add(leaf, 0);
    }
    return tree.root();
  };
  return (await auditPath(link.index, 0, sold, subtree)).map(hex);
}

// src/receipt.ts
var receiptBytesMost = 65536;
var number2 = (value) => typeof value === "number";
var string2 = (value) => typeof value === "string";
var ofBytes = (length) => (value) => typeof value === "string" && isHex(value, length);
var path = (value) => Array.isArray(value) && value.every(ofBytes(32));
var proven2 = shaped({ entry: string2, index: number2, path });
var part = shaped({
  index: number2,
  prize: number2,
  layout: ofBytes(),
  salt: ofBytes(16),
  path,
  seal: proven2,
  "sales?": shaped({ path, entry: string2, index: number2, log: path })
});
var whole2 = shaped({
  format: (value) => value === "talon-receipt/1",
  play: ofBytes(16),
  at: number2,
  unit: part,
  "participation?": part,
  "win?": proven2,
  checkpoint: string2
});
function readReceipt(source) {
  const bytes2 = typeof source === "string" ? utf8(source) : source;
  const written = bytes2.length > receiptBytesMost ? void 0 : text(bytes2);
  if (written === void 0) return void 0;
  try {
    const value = parse(written);
    if (!whole2(value)) return void 0;
    const receipt2 = value;
    return (receipt2.participation?.prize ?? 0) === 0 ? receipt2 : void 0;
  } catch (error) {
    if (error instanceof JsonError) return void 0;
    throw error;
  }
}
var Refused = class extends Error {
  constructor(code, where) {
    super(code);
    this.code = code;
    this.where = where;
  }
  code;
  where;
};
async function verifyReceipt(source, key, witnesses = []) {
  const receipt2 = readReceipt(source);
  if (receipt2 === void 0) return { outcome: "refused", code: "receipt_malformed", where: "receipt" };
  const verdict = { outcome: "refused", receipt: receipt2 };
  try {
    const checkpoint = await openCheckpoint(receipt2.checkpoint, key, witnesses);
    if (typeof checkpoint === "string") throw new Refused(checkpoint, "checkpoint");
    const { unit, participation, win } = receipt2;
    verdict.seal = sealOf(unit, checkpoint, "unit");
    verifyPart(receipt2, unit, verdict.seal, verdict.seal, checkpoint, "unit");
    const wins = participation?.layout === "01";
    if (participation !== void 0) {
      const seal = sealOf(participation, checkpoint, "participation");
      verifyPart(receipt2, participation, seal, verdict.seal, checkpoint, "participation");
      if (win !== void 0) verdict.win = winOf(win, wins, seal, participation, checkpoint);
      if (!another(seal, verdict.seal)) throw new Refused("price_wrong", "participation");
    } else if (win !== void 0) throw new Refused("win_wrong", "receipt");
    const waits = unit.sales === void 0 || participation !== void 0 && participation.sales === void 0 || wins && win === void 0;
    verdict.outcome = waits ? "provisional" : "complete";
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    verdict.code = error.code;
    if (error.where !== void 0) verdict.where = error.where;
  }
  return verdict;
}
var another = (seal, unit) => seal.block !== unit.block && seal.game !== unit.game && seal.definition !== unit.definition;
function logged(entry, index, steps, checkpoint) {
  const read2 = readEntry(entry);
  return read2 !== void 0 && included(entryLeaf(utf8(entry)), index, checkpoint.size, steps.map(unhex), checkpoint.root) ? read2 : void 0;
}
function sealOf({ seal }, checkpoint, where) {
  const entry = logged(seal.entry, seal.index, seal.path, checkpoint);
  if (entry?.kind !== "seal") throw new Refused("seal_not_in_log", where);
  return entry;
}
function verifyPart(receipt2, part2, seal, unitSeal, checkpoint, where) {
  const block3 = unhex(seal.block);
  const leaf = unitLeaf(block3, part2.index, part2.prize, unhex(part2.layout), unhex(part2.salt));
  if (!included(leaf, part2.index, seal.size, part2.path.map(unhex), unhex(seal.root))) throw new Refused("inclusion_not_proven", where);
  if (hex(playOf(unhex(unitSeal.block), receipt2.unit.index, unhex(receipt2.unit.salt))) !== receipt2.play) throw new Refused("play_wrong", where);
  if (part2.sales === void 0) return;
  const sales2 = salesOf(part2.sales, seal, checkpoint);
  if (sales2 === void 0) throw new Refused("sale_not_in_log", where);
  const sale = saleLeaf(block3, part2.index, unhex(receipt2.play), receipt2.at);
  if (!included(sale, part2.index, sales2.sold, part2.sales.path.map(unhex), unhex(sales2.root))) throw new Refused("sale_not_proven", where);
}
function salesOf(sales2, seal, checkpoint) {
  const entry = logged(sales2.entry, sales2.index, sales2.log, checkpoint);
  return entry?.kind === "sales" && entry.block === seal.block ? entry : void 0;
}
function winOf(win, wins, seal, participation, checkpoint) {
  const entry = wins ? logged(win.entry, win.index, win.path, checkpoint) : void 0;
  if (entry?.kind !== "jackpot-win" || entry.block !== seal.block || entry.index !== participation.index) throw new Refused("win_wrong", "participation");
  return entry;
}

// src/report.ts
function money(amount2) {
  const units = Math.floor(amount2 / 1e4);
  const rest = String(amount2 % 1e4).padStart(4, "0");
  return `${units}.${rest.endsWith("00") ? rest.slice(0, 2) : rest}`;
}
var findingsText = (findings) => findings.map(({ code, where, what }) => `  ${code}, ${where}: ${what}
`).join("");
function blockText(report) {
  const { block: block3, game, stake, size, sold, tiers, wins, findings, notes } = report;
  const cells = [["prize", "table", "dealt", "sold", "unsold"], ...tiers.map((tier) => [money(tier.amount), tier.table, tier.dealt, tier.sold, tier.dealt - tier.sold].map(String))];
  const table = cells.map((row) => "  " + row.map((cell) => cell.padStart(12)).join("") + "\n").join("");
  return `block ${block3}
  game ${game}, stake ${stake}
  ${size} units, ${sold} sold, ${size - sold} unsold
${tiers.length > 0 ? table : ""}  prizes of units sold ${money(report.prizes_sold)}, unsold ${money(report.prizes_unsold)}${wins > 0 ? `; ${wins} wins of the jackpot` : ""}
` + notes.map(({ what }) => `  note: ${what}
`).join("") + (findings.length === 0 ? "  nothing wrong was found\n" : findingsText(findings));
}
function receiptText({ outcome, code, where, receipt: receipt2, seal, win }) {
  if (outcome === "refused") return `refused: ${code}, ${where}
`;
  const said2 = `${outcome}: unit ${receipt2.unit.index} of block ${seal.block}, ${seal.game}, prize ${money(receipt2.unit.prize)}, play ${receipt2.play}
`;
  return said2 + (win === void 0 ? "" : `  jackpot ${win.jackpot}: ${money(win.amount)}
`);
}

// src/vectors.ts
var Run = class {
  count = 0;
  failures = [];
  is(what, got, want) {
    this.count++;
    if (JSON.stringify(got) !== JSON.stringify(want)) this.failures.push(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(want)}`);
  }
};
function tenThousandths(written) {
  const [units, decimals = ""] = written.split(".");
  return Number(units) * 1e4 + Number(decimals.padEnd(4, "0"));
}
function block(run, vector, definition) {
  const id = unhex(vector.block);
  const what = `${vector.game} at stake ${vector.stake}`;
  run.is(`${what}: commitment`, hex(commitment(id, unhex(vector.secret))), vector.commitment);
  const read2 = readDefinition(definition, vector.stake);
  if (vector.odds !== void 0) read2.odds = vector.odds;
  const dealer = new Dealer(read2, id, unhex(vector.secret), vector.size);
  const leaf = new Int32Array(8);
  const tree = new GrowingTree();
  const whole3 = vector.root !== void 0;
  for (let index = 0; index < (whole3 ? vector.size : vector.units?.length ?? 0); index++) {
    const unit = dealer.deal(index, leaf, 0);
    if (whole3) tree.add(leaf, 0);
    if (!unit.reads) run.is(`${what}: unit ${index} reads as its prize`, false, true);
    const wanted = vector.units?.[index];
    if (wanted === void 0) continue;
    const salt = bytesOf(new Int32Array([...unit.salt, 0, 0, 0, 0]), 0).subarray(0, 16);
    const got = { index, tier: unit.tier, prize: unit.prize, layout: hex(unit.layout), salt: hex(salt), leaf: hex(bytesOf(leaf, 0)), play: hex(playOf(id, index, salt)) };
    const { tier, prize, layout, salt: wantedSalt, leaf: wantedLeaf, play } = wanted;
    run.is(`${what}: unit ${index}`, got, { index, tier, prize: tenThousandths(prize), layout, salt: wantedSalt, leaf: wantedLeaf, play });
  }
  if (whole3) run.is(`${what}: root`, hex(tree.root()), vector.root);
}
var runners = {
  "entropy.json": (run, file) => {
    for (const { secret, block: block3, ...keys } of file.keys) {
      for (const purpose of ["shuffle", "layout", "salt"]) run.is(`key ${purpose}`, hex(keyOf(unhex(secret), unhex(block3), purpose)), keys[purpose]);
    }
    for (const { key, start, words } of file.streams) {
      const stream = new Stream(new Aes256(unhex(key))).start(Number(BigInt(start) & 0xffffffffn), Number(BigInt(start) >> 32n));
      run.is(`stream ${start}`, words.map(() => stream.next()), words);
    }
    for (const { key, index, salt } of file.salts) {
      const words = new Int32Array(8);
      new Aes256(unhex(key)).encrypt(0, 0, Math.floor(index / 2 ** 32), index, words);
      run.is(`salt ${index}`, hex(bytesOf(words, 0).subarray(0, 16)), salt);
    }
    for (const { words, below: n, number: number3, taken: taken2 } of file.below) {
      let at2 = 0;
      const got = below({ next: () => words[at2++] }, n);
      run.is(`below ${n}`, [got, at2], [number3, taken2]);
    }
  },
  "shuffle.json": (run, file) => {
    for (const { key, items, order, first, digest: digest2 } of file.shuffles) {
      const list2 = Int32Array.from({ length: items }, (_, item) => item);
      shuffle(list2, new Stream(new Aes256(unhex(key))).start(0));
      const bytes2 = new Uint8Array(4 * items);
      list2.forEach((item, at2) => new DataView(bytes2.buffer).setUint32(4 * at2, item));
      run.is(`${items} items`, hex(sha256(bytes2)), digest2);
      if (order !== void 0) run.is(`order of ${items} items`, [...list2], order);
      if (first !== void 0) run.is(`first of ${items} items`, [...list2.subarray(0, first.length)], first);
    }
  },
  "units.json": async (run, file, definition) => {
    for (const vector of file.vectors) block(run, vector, await definition(vector.game));
  },
  "blocks.json": async (run, file, definition) => {
    for (const vector of file.vectors) block(run, vector, await definition(vector.game));
  },
  "roots.json": async (run, file, definition) => {
    for (const vector of file.vectors) block(run, vector, await definition(vector.game));
  },
  "leaves.json": (run, file) => {
    for (const unit of file.vectors.units) {
      const of = [unhex(unit.block), unit.index, tenThousandths(unit.prize), unhex(unit.layout), unhex(unit.salt)];
      run.is(unit.comment, hex(unitLeaf(...of)) === unit.leaf, unit.failure === void 0);
      if (unit.data !== void 0) run.is(`${unit.comment}: data`, hex(unitData(...of)), unit.data);
      if (unit.play !== void 0) run.is(`${unit.comment}: play`, hex(playOf(of[0], of[1], of[4])), unit.play);
    }
    for (const sale of file.vectors.sales) run.is(`sale ${sale.index}`, hex(saleLeaf(unhex(sale.block), sale.index, unhex(sale.play), sale.at)), sale.leaf);
  },
  "contributions.json": (run, file) => {
    for (const { id, shares, signature, randomness, secret } of file.vectors) {
      const block3 = unhex(id);
      const given = shares.map(({ party, share }) => ({ party, share: unhex(share) }));
      run.is(`commitments of ${id}`, given.map(({ party, share }) => hex(shareCommitment(block3, party, share))), shares.map(({ commitment: made }) => made));
      if (signature !== void 0) run.is(`randomness of ${id}`, hex(sha256(unhex(signature))), randomness);
      run.is(`secret of ${id}`, hex(mixed(block3, given, unhex(randomness))), secret);
    }
  },
  "log.json": (run, file) => {
    for (const { name: name2, entry, leaf } of file.vectors.entries) run.is(name2, [readEntry(entry) !== void 0, hex(entryLeaf(utf8(entry)))], [true, leaf]);
    for (const { name: name2, entry } of file.vectors.refused) run.is(name2, readEntry(entry), void 0);
  },
  "receipts.json": async (run, file) => {
    const key = readKey(file.vectors.key);
    for (const { name: name2, outcome, code, receipt: receipt2, witness: witness2 } of file.vectors.receipts) {
      const verdict = await verifyReceipt(receipt2, key, witness2 === void 0 ? [] : [readKey(witness2)]);
      run.is(name2, [verdict.outcome, verdict.code ?? ""], [outcome, code ?? ""]);
    }
  },
  "trees.json": (run, file) => {
    for (const { size, root, proofs } of file.vectors) {
      const tree = new GrowingTree();
      const leaf = new Uint8Array(9);
      for (let index = 0; index < size; index++) {
        new DataView(leaf.buffer).setUint32(5, index);
        tree.addBytes(sha256(leaf));
      }
      run.is(`root of ${size}`, hex(tree.root()), root);
      for (const proof of proofs) {
        const got = included(unhex(proof.leaf), proof.index, size, proof.path.map(unhex), unhex(root));
        run.is(`${proof.comment ?? "proof"} ${proof.index} of ${size}`, got, proof.failure === void 0);
      }
    }
  }
};
var inventedPot = { kind: "jackpot", name: "invented", block: { size: 1 }, price: 1, shares: { pot: 1 }, start: 1, one_in: 2 };
async function runVectors(files) {
  const reports = [];
  const json = async (path2) => {
    const bytes2 = await files.read(path2);
    return bytes2 === void 0 ? void 0 : JSON.parse(text(bytes2) ?? "");
  };
  const definition = async (name2) => {
    const bytes2 = await files.read(`definitions/${name2}.json`);
    return bytes2 === void 0 ? inventedPot : parse(text(bytes2) ?? "");
  };
  for (const [file, runner] of Object.entries(runners)) {
    const content = await json(file);
    if (content === void 0) continue;
    const run = new Run();
    try {
      await runner(run, content, definition);
    } catch (error) {
      run.failures.push(String(error));
    }
    reports.push({ file, run: run.count, failures: run.failures });
  }
  return reports;
}

// src/cli.ts
var usage = `cli.mjs receipt FILE --key KEY [--witness KEY] [--json]
cli.mjs log FOLDER --key KEY [--older FILE] [--witness KEY] [--json]
cli.mjs block FOLDER BLOCK --key KEY [--witness KEY] [--json]
cli.mjs vectors FOLDER
KEY is the text of a public key, or a file that holds it. A FILE of a receipt may also hold a link; then the
published files are needed: cli.mjs receipt FILE --folder FOLDER --key KEY.
`;
function folder(path2) {
  const existing = async (name2) => {
    const whole3 = join(path2, ...name2.split("/"));
    try {
      return (await stat(whole3)).isFile() ? whole3 : void 0;
    } catch {
      return void 0;
    }
  };
  return {
    async read(name2) {
      const whole3 = await existing(name2);
      return whole3 === void 0 ? void 0 : Uint8Array.from(await readFile(whole3));
    },
    async part(name2, from, length) {
      const whole3 = await existing(name2);
      if (whole3 === void 0) return void 0;
      const handle = await open(whole3);
      try {
        const bytes2 = new Uint8Array(length);
        const { bytesRead } = await handle.read(bytes2, 0, length, from);
        return bytes2.slice(0, bytesRead);
      } finally {
        await handle.close();
      }
    }
  };
}
async function publication(path2) {
  if (!await isFolder(path2)) throw new InputError("file_unreadable", `${path2} is no folder`);
  const files = folder(path2);
  if (await isFolder(join(path2, "log")) || await files.read("checkpoint") === void 0) return files;
  const within = (name2) => name2.replace(/^log\//, "");
  return { read: (name2) => files.read(within(name2)), part: (name2, from, length) => files.part(within(name2), from, length) };
}
async function isFolder(path2) {
  try {
    return (await stat(path2)).isDirectory();
  } catch {
    return false;
  }
}
async function fileOf(path2) {
  try {
    return await readFile(path2);
  } catch (error) {
    throw new InputError("file_unreadable", `${path2} cannot be read: ${String(error)}`);
  }
}
async function keyOf2(given) {
  let isFile = false;
  try {
    isFile = (await stat(given)).isFile();
  } catch {
  }
  return readKey(isFile ? noteText(await fileOf(given)) : given);
}
function read(argv) {
  const read2 = { command: argv[0] ?? "", places: [], options: /* @__PURE__ */ new Map(), json: false };
  for (let at2 = 1; at2 < argv.length; at2++) {
    const argument = argv[at2];
    const [name2, inline] = argument.split(/=(.*)/s);
    if (argument === "--json") read2.json = true;
    else if (["--key", "--witness", "--older", "--folder"].includes(name2)) {
      const value = inline ?? argv[++at2];
      if (value === void 0) throw new InputError("file_unreadable", `${name2} needs a value
${usage}`);
      read2.options.set(name2, [...read2.options.get(name2) ?? [], value]);
    } else if (argument.startsWith("--")) throw new InputError("file_unreadable", `${argument} is not known
${usage}`);
    else read2.places.push(argument);
  }
  return read2;
}
var say = (text2) => {
  process.stdout.write(text2);
};
function live() {
  return (what, done, total) => {
    if (process.stderr.isTTY === true) process.stderr.write(`\r${what} ${done} of ${total}   ${done === total ? "\n" : ""}`);
  };
}
async function logOptions({ options }) {
  const key = options.get("--key")?.[0];
  if (key === void 0) throw new InputError("key_malformed", "--key is missing: the operator's public key");
  const older = options.get("--older")?.[0];
  const made = { key: await keyOf2(key), witnesses: await Promise.all((options.get("--witness") ?? []).map(keyOf2)) };
  if (older !== void 0) made.older = noteText(await fileOf(older));
  return made;
}
async function receipt(given) {
  const { key, witnesses } = await logOptions(given);
  let source = await fileOf(given.places[0]);
  const link = readLink(noteText(source));
  const published = given.options.get("--folder")?.[0];
  if (link !== void 0 && published !== void 0) source = utf8(JSON.stringify(await completeLink(link, folder(published), { key, witnesses })));
  const verdict = await verifyReceipt(source, key, witnesses);
  const findings = verdict.code === void 0 ? [] : [{ code: verdict.code, where: verdict.where, what: "" }];
  say(given.json ? JSON.stringify({ outcome: verdict.outcome, play: verdict.receipt?.play ?? null, findings }) + "\n" : receiptText(verdict));
  return verdict.outcome === "refused" ? 1 : 0;
}
async function log(given) {
  const { findings, entries, checkpoint } = await checkLog(await publication(given.places[0]), await logOptions(given));
  if (given.json) say(JSON.stringify({ origin: checkpoint?.origin ?? null, size: checkpoint?.size ?? null, root: checkpoint === void 0 ? null : hex(checkpoint.root), findings }) + "\n");
  else say(`log of ${entries.length} entries
` + (findings.length === 0 ? "  nothing wrong was found\n" : findingsText(findings)));
  return findings.length === 0 ? 0 : 1;
}
async function block2(given) {
  const [path2, id] = given.places;
  if (!isHex(id, 16)) throw new InputError("block_not_open", `${id} is no identifier of a block: 32 hexadecimal digits`);
  const files = await publication(path2);
  const checked = await checkLog(files, await logOptions(given));
  const unusable = checked.checkpoint === void 0 || checked.findings.some(({ code }) => code === "log_unreadable");
  if (unusable) {
    say(given.json ? JSON.stringify({ block: id, game: null, stake: null, size: null, sold: null, prizes_sold: null, prizes_unsold: null, tiers: null, findings: checked.findings }) + "\n" : findingsText(checked.findings));
    return 1;
  }
  const report = await checkBlock(files, checked, id, live());
  const findings = [...checked.findings, ...report.findings];
  say(given.json ? JSON.stringify({ ...report, findings }) + "\n" : findingsText(checked.findings) + blockText(report));
  return findings.length === 0 ? 0 : 1;
}
async function vectors(given) {
  const reports = await runVectors(await publication(given.places[0]));
  for (const { file, run, failures } of reports) {
    say(`${file}: ${run} run, ${failures.length} failed
`);
    for (const failure of failures.slice(0, 10)) say(`  ${failure}
`);
  }
  if (reports.length === 0) throw new InputError("file_unreadable", `${given.places[0]} holds no test vectors`);
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}
var commands = { receipt: [1, receipt], log: [1, log], block: [2, block2], vectors: [1, vectors] };
async function main() {
  try {
    const given = read(process.argv.slice(2));
    const command = Object.hasOwn(commands, given.command) ? commands[given.command] : void 0;
    if (command === void 0 || given.places.length !== command[0]) throw new InputError("file_unreadable", usage);
    return await command[1](given);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    process.stderr.write(error.message.trimEnd() + "\n");
    return 2;
  }
}
process.exitCode = await main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}
`);
  return 2;
});
