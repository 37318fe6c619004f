// Where the tests find the repository: whoever runs them says it in TALON_ROOT.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

export function inRepository(...parts: string[]): string {
  const root = process.env["TALON_ROOT"];
  if (root === undefined) throw new Error("TALON_ROOT is not set: go test ./internal/web/player/bundle runs these tests");
  return join(root, ...parts);
}

/** The definition of the invented game, canonical. */
export const lune = async (): Promise<string> => new TextDecoder().decode(await readFile(inRepository("testdata", "vectors", "definitions", "lune.json"))).trim();
