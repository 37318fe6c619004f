// The published files: of this site, or of a folder that the visitor chose.

import { InputError } from "../../../../verify/browser/src/codes.js";
import type { Files } from "../../../../verify/browser/src/files.js";

/** Largest file that is read whole: the hashes of the largest block. */
const bytesMost = 400 << 20;

/** Files below an address of this site. */
export function published(base: string): Files {
  const ask = async (path: string, range?: string): Promise<Response | undefined> => {
    let response: Response;
    try {
      response = await fetch(base + path, { credentials: "omit", headers: range === undefined ? {} : { Range: range } });
    } catch {
      throw new InputError("file_unreadable", `${path} could not be fetched`);
    }
    if (response.status === 404 || response.status === 410) return undefined;
    if (response.status !== 416 && !response.ok) throw new InputError("file_unreadable", `${path}: status ${response.status}`);
    if (Number(response.headers.get("Content-Length") ?? 0) > bytesMost) throw new InputError("too_large", `${path} is too large`);
    return response;
  };
  const bytes = async (response: Response, path: string): Promise<Uint8Array<ArrayBuffer>> => {
    try {
      return new Uint8Array(await response.arrayBuffer());
    } catch {
      throw new InputError("file_unreadable", `${path} was cut off`);
    }
  };
  return {
    async read(path) {
      const response = await ask(path);
      return response === undefined ? undefined : bytes(response, path);
    },
    async part(path, from, length) {
      if (length === 0) return new Uint8Array(0);
      const response = await ask(path, `bytes=${from}-${from + length - 1}`);
      if (response === undefined) return undefined;
      if (response.status === 416) return new Uint8Array(0);
      const got = await bytes(response, path);
      return response.status === 206 ? got : got.slice(from, from + length);
    },
  };
}

/** Files of a folder that holds a publication, at its root or deeper. */
export function chosen(files: File[]): Files {
  const log = "log/checkpoint";
  const pathOf = (file: File): string => file.webkitRelativePath || file.name;
  const root = files.map(pathOf).find((path) => path === log || path.endsWith("/" + log))?.slice(0, -log.length) ?? "";
  const byPath = new Map(files.map((file) => [pathOf(file), file]));
  const read = async (path: string, from: number, length: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const file = byPath.get(root + path);
    if (file === undefined) return undefined;
    if (Math.min(length, file.size) > bytesMost) throw new InputError("too_large", `${path} is too large`);
    try {
      return new Uint8Array(await file.slice(from, from + length).arrayBuffer());
    } catch {
      throw new InputError("file_unreadable", `${path} could not be read`);
    }
  };
  return { read: (path) => read(path, 0, Number.MAX_SAFE_INTEGER), part: read };
}
