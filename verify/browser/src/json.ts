// JSON, read strictly: no key twice, no fraction, exponent or sign, no number above 2^53 - 1, no half
// of a surrogate pair, nothing after the value. And its canonical form (RFC 8785).

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject { [key: string]: Json }

/** A text that is not JSON as it is read here. */
export class JsonError extends Error {}

/** How deep lists and objects may lie in one another. */
const depthMost = 32;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

class Reader {
  private at = 0;
  constructor(private readonly source: string) {}

  whole(): Json {
    const value = this.value(0);
    this.spaces();
    if (this.at < this.source.length) this.wrong("something follows the value");
    return value;
  }

  private wrong(what: string): never {
    throw new JsonError(`${what}, at character ${this.at}`);
  }

  private spaces(): void {
    while (" \t\r\n".includes(this.source[this.at] ?? "x")) this.at++;
  }

  private takes(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private value(depth: number): Json {
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

  private number(): number {
    const pattern = /0|[1-9][0-9]*/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    const number = Number(found);
    if (found === undefined || !Number.isSafeInteger(number)) this.wrong("no value, or a number that is not whole and below 2^53");
    this.at += found.length;
    if (/[.eE0-9]/.test(this.source[this.at] ?? "")) this.wrong("a number that is not whole");
    return number;
  }

  private string(): string {
    const pattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (found === undefined) this.wrong("a text that does not end or has a control character");
    const value = JSON.parse(found) as string;
    if (/\p{Surrogate}/u.test(value)) this.wrong("half of a surrogate pair");
    this.at += found.length;
    return value;
  }

  private list(depth: number): Json[] {
    const list: Json[] = [];
    this.spaces();
    if (this.takes("]")) return list;
    for (;;) {
      list.push(this.value(depth + 1));
      this.spaces();
      if (this.takes("]")) return list;
      if (!this.takes(",")) this.wrong("no comma");
    }
  }

  private object(depth: number): JsonObject {
    const object = Object.create(null) as JsonObject;
    this.spaces();
    if (this.takes("}")) return object;
    for (;;) {
      this.spaces();
      if (this.source[this.at] !== '"') this.wrong("no key");
      const key = this.string();
      if (key in object) this.wrong("a key twice");
      this.spaces();
      if (!this.takes(":")) this.wrong("no colon");
      object[key] = this.value(depth + 1);
      this.spaces();
      if (this.takes("}")) return object;
      if (!this.takes(",")) this.wrong("no comma");
    }
  }
}

/** Reads one value. It throws a JsonError. */
export const parse = (source: string): Json => new Reader(source).whole();

/** The canonical text of a value: keys by UTF-16 code units, no spaces, texts as ECMAScript writes them. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return "[" + value.map(canonical).join(",") + "]";
  if (!isObject(value)) return JSON.stringify(value);
  return "{" + Object.keys(value).sort().map((key) => JSON.stringify(key) + ":" + canonical(value[key] as Json)).join(",") + "}";
}
