// What keeps up with the server on every page: the session's clock, balance and net result, meters,
// and the progress of blocks.

import { meter, player } from "./api.js";

const euros = new Intl.NumberFormat(document.documentElement.lang === "en" ? "en-IE" : "fr-FR", { style: "currency", currency: "EUR" });

/** Writes an amount of the API for people. Amounts are only shown here, never counted. */
export const amount = (text: string): string => euros.format(Number(text));

/** Writes a meter: parts of a cent are left out, as on the server's pages. */
const cents = (text: string): string => amount(text.replace(/(\.\d\d)\d+$/, "$1"));

export function keepClock(): void {
  const clock = document.getElementById("session");
  const started = Date.parse(clock?.dataset["started"] ?? "");
  if (clock === null || Number.isNaN(started)) return;
  setInterval(() => {
    const seconds = Math.max(0, Math.floor((Date.now() - started) / 1000));
    const two = (n: number) => String(n).padStart(2, "0");
    const hours = Math.floor(seconds / 3600);
    clock.textContent = (hours > 0 ? hours + ":" : "") + two(Math.floor(seconds / 60) % 60) + ":" + two(seconds % 60);
  }, 1000);
}

/** Balance and net result, as the server knows them. */
export async function refreshPills(): Promise<void> {
  const now = await player();
  const balance = document.getElementById("balance");
  const net = document.getElementById("net");
  if (balance !== null) balance.textContent = amount(now.available);
  if (net !== null) {
    const value = Number(now.session.net);
    net.textContent = (value > 0 ? "+" : "") + amount(now.session.net).replace("-", "−");
    net.className = value > 0 ? "up" : value < 0 ? "down" : "even";
  }
}

/** Meters are never older than half a minute. */
export function keepMeters(): void {
  const meters = document.querySelectorAll<HTMLElement>("[data-jackpot]");
  if (meters.length === 0) return;
  setInterval(refreshMeters, 10_000);
}

export async function refreshMeters(): Promise<void> {
  for (const shown of document.querySelectorAll<HTMLElement>("[data-jackpot]")) {
    try {
      shown.textContent = cents((await meter(shown.dataset["jackpot"] ?? "")).meter);
    } catch { /* the next look may succeed */ }
  }
}

/** A page that waits for a block looks again until it is there. */
export function keepProgress(): void {
  if (document.querySelector("[data-preparing]") !== null) setTimeout(() => location.reload(), 1500);
}
