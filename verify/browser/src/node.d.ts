// What the command uses of Node, and no more.

declare module "node:fs/promises" {
  interface Handle {
    read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
    close(): Promise<void>;
  }
  export function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  export function open(path: string): Promise<Handle>;
  export function writeFile(path: string, content: Uint8Array | string): Promise<void>;
  export function mkdir(path: string, options: { recursive: true }): Promise<void>;
  export function mkdtemp(prefix: string): Promise<string>;
  export function rm(path: string, options: { recursive: true; force: true }): Promise<void>;
  export function readdir(path: string, options: { recursive: true }): Promise<string[]>;
  export function stat(path: string): Promise<{ isFile(): boolean; isDirectory(): boolean; size: number }>;
}

declare module "node:crypto" {
  interface Hash { update(bytes: Uint8Array): Hash; digest(): Uint8Array<ArrayBuffer> }
  export function createHash(name: "sha256"): Hash;
}

declare module "node:child_process" {
  export function spawnSync(command: string, parts: string[], options: { encoding: "utf8" }): { status: number; stdout: string; stderr: string };
}

declare module "node:path" {
  export function join(...parts: string[]): string;
  export function dirname(path: string): string;
}

declare module "node:process" {
  interface Output { write(text: string): boolean; isTTY?: boolean }
  const process: { argv: string[]; env: Record<string, string | undefined>; execPath: string; exitCode: number | undefined; stdout: Output; stderr: Output };
  export default process;
}

declare module "node:test" {
  interface TestContext { test(name: string, run: () => void | Promise<void>): Promise<void> }
  export default function test(name: string, run: (t: TestContext) => void | Promise<void>): Promise<void>;
}

declare module "node:assert/strict" {
  interface Assert {
    equal(got: unknown, want: unknown, message?: string): void;
    deepEqual(got: unknown, want: unknown, message?: string): void;
    ok(value: unknown, message?: string): asserts value;
    rejects(promise: Promise<unknown>, check?: (error: never) => boolean): Promise<void>;
    throws(run: () => unknown, message?: string): void;
  }
  const assert: Assert;
  export default assert;
}
