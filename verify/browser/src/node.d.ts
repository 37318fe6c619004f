// What the command uses of Node, and no more.

declare module "node:fs/promises" {
  interface Handle {
    read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
    close(): Promise<void>;
  }
  export function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  export function open(path: string): Promise<Handle>;
  export function stat(path: string): Promise<{ isFile(): boolean; isDirectory(): boolean; size: number }>;
}

declare module "node:path" {
  export function join(...parts: string[]): string;
}

declare module "node:process" {
  interface Output { write(text: string): boolean; isTTY?: boolean }
  const process: { argv: string[]; exitCode: number | undefined; stdout: Output; stderr: Output };
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
