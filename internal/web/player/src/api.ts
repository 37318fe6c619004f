// The play path of the API, as openapi.yaml describes it.

export interface Gain { combination: number; cells: number[]; wildCell?: number; amount: string }

export interface Outcome {
  prize: string;
  due: boolean;
  kind: "loss" | "stake-back" | "win";
  layout: string[];
  gains: Gain[];
  multiplier: number;
  multiplierCell?: number;
  statement: { fr: string; en: string };
  jackpot?: { name: string; won: string };
}

export interface Play { id: string; available: string; disclosed: boolean; shown: boolean; outcome?: Outcome }

export interface Player { available: string; session: { started: string; net: string } }

export class Refusal extends Error {
  constructor(readonly code: string, readonly play: string | undefined, message: string) { super(message); }
}

/** Asks the server; a lost answer is asked for again, with the same key, before it is given up. */
async function ask<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key !== undefined) headers["Idempotency-Key"] = key;
  const init: RequestInit = { method, headers, credentials: "same-origin" };
  if (body !== undefined) init.body = JSON.stringify(body);
  let response: Response | undefined;
  for (let attempt = 0; response === undefined || response.status === 503; attempt++) {
    if (attempt === 4) break;
    if (attempt > 0) await new Promise((done) => setTimeout(done, 400 * attempt));
    try {
      response = await fetch("/api/v1" + path, init);
    } catch {
      response = undefined; // no connection, or it was cut
    }
  }
  if (response === undefined) throw new Refusal("offline", undefined, "");
  if (response.status === 204) return undefined as T;
  const document: unknown = await response.json();
  if (!response.ok) {
    const problem = document as { code?: string; play?: string; title?: string; next?: string };
    throw new Refusal(problem.code ?? "internal", problem.play, [problem.title, problem.next].filter(Boolean).join(" "));
  }
  return document as T;
}

export const buy = (game: string, stake: string, key: string, seen?: string) =>
  ask<Play>("POST", "/plays", seen === undefined ? { game, stake } : { game, stake, seen }, key);
export const choose = (play: string, cells: number[]) => ask<Play>("PUT", `/plays/${play}/choice`, { cells });
export const shown = (play: string) => ask<void>("PUT", `/plays/${play}/shown`);
export const player = () => ask<Player>("GET", "/player");
export const meter = (name: string) => ask<{ meter: string }>("GET", `/jackpots/${name}`);
