// The files of a publication, wherever they are: publication.md, section 1, and log.md, section 4.

/** Reads published files. What is not there is undefined; a part that begins beyond the end is empty. */
export interface Files {
  read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** So many bytes from a place on, or fewer where the file ends. */
  part(path: string, from: number, length: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

export const definitionPath = (hash: string): string => `definitions/${hash}.json`;
export const tilesPath = (block: string): string => `blocks/${block}.tiles`;
export const salesPath = (block: string): string => `sales/${block}.sales`;

/** The path of a tile of the log, below log/ (C2SP tlog-tiles); width 256 is a full one. */
export function tilePath(level: number | "entries", tile: number, width: number): string {
  let groups = String(tile % 1000).padStart(3, "0");
  for (let n = Math.floor(tile / 1000); n > 0; n = Math.floor(n / 1000)) groups = `x${String(n % 1000).padStart(3, "0")}/${groups}`;
  return `log/tile/${level}/${groups}${width < 256 ? `.p/${width}` : ""}`;
}

/** Files that are all in memory, by path. */
export const filesOf = (held: Map<string, Uint8Array<ArrayBuffer>>): Files => ({
  read: async (path) => held.get(path),
  part: async (path, from, length) => held.get(path)?.slice(from, from + length),
});
