// Drawing a board: symbols from the page's sprite, cell by cell, as the server sent them.

import type { Outcome } from "./api.js";
import { Scene } from "./scene.js";

const svgSpace = "http://www.w3.org/2000/svg";

/** A drawing of the page's sprite. */
export function drawing(name: string, size: number): SVGSVGElement {
  const svg = document.createElementNS(svgSpace, "svg");
  svg.setAttribute("width", String(size));
  svg.setAttribute("height", String(size));
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(svgSpace, "use");
  use.setAttribute("href", "#s-" + name);
  svg.append(use);
  return svg;
}

function hidden(text: string): HTMLSpanElement {
  const span = document.createElement("span");
  span.className = "unseen";
  span.textContent = text;
  return span;
}

export interface Titles { [name: string]: string }

/** The cells that won, the multiplier's included. */
function winners(outcome: Outcome): Set<number> {
  const cells = new Set(outcome.gains.flatMap((gain) => gain.cells));
  if (outcome.multiplierCell !== undefined) cells.add(outcome.multiplierCell);
  return cells;
}

const isCoefficient = (name: string) => /^x\d+$/.test(name);

/** Uncovers a grid in a diagonal wave, then shows its lines and turns the multiplier. */
export async function revealTiles(root: ParentNode, outcome: Outcome, titles: Titles, scene: Scene): Promise<void> {
  const tiles = [...root.querySelectorAll<HTMLElement>(".tile")];
  const side = Math.round(Math.sqrt(tiles.length));
  await Promise.all(tiles.map(async (tile, at) => {
    const name = outcome.layout[at] ?? "";
    const seal = isCoefficient(name);
    await scene.pause(105 * (Math.floor(at / side) + (at % side)));
    const cover = tile.querySelector(".cover");
    const face = tile.querySelector(".face");
    if (cover === null || face === null) return;
    face.replaceChildren(drawing(seal ? "point-d-interrogation" : name, 80));
    tile.classList.toggle("seal", seal);
    await scene.move(cover, [{ transform: "rotateY(0)" }, { transform: "rotateY(90deg)" }], 240);
    tile.classList.add("open");
    await scene.move(face, [{ transform: "rotateY(-90deg)" }, { transform: "rotateY(0)" }], 320);
    tile.querySelector(".unseen")?.replaceWith(hidden(titles[name] ?? name));
  }));
  const winning = winners(outcome);
  for (const gain of outcome.gains) {
    root.querySelector(`.line[data-cells="${gain.cells.join(" ")}"]`)?.classList.add("on");
    for (const cell of gain.cells) tiles[cell]?.classList.add("win");
    await scene.pause(420);
  }
  if (winning.size > 0) tiles.forEach((tile, at) => { if (!winning.has(at)) tile.classList.add("dim"); });
  if (outcome.multiplierCell !== undefined) {
    const face = tiles[outcome.multiplierCell]?.querySelector(".face");
    if (face) {
      await scene.move(face, [{ transform: "rotateY(0)" }, { transform: "rotateY(90deg)" }], 260);
      face.replaceChildren(drawing(outcome.layout[outcome.multiplierCell] ?? "", 80));
      await scene.move(face, [{ transform: "rotateY(-90deg)" }, { transform: "rotateY(0)" }], 320);
      await scene.pause(250);
    }
  }
}

/** Opens the selected bags in their order; their symbols appear in the tray, three a bag. */
export async function revealBags(root: ParentNode, outcome: Outcome, order: number[], titles: Titles, scene: Scene): Promise<void> {
  const bags = [...root.querySelectorAll<HTMLElement>(".bag")];
  const slots = [...root.querySelectorAll<HTMLElement>(".slot")];
  bags.forEach((bag, at) => bag.classList.toggle("left", !order.includes(at)));
  const perBag = Math.ceil(outcome.layout.length / Math.max(order.length, 1));
  for (const [place, bag] of order.entries()) {
    bags[bag]?.classList.add("open");
    for (let at = place * perBag; at < Math.min((place + 1) * perBag, outcome.layout.length); at++) {
      const name = outcome.layout[at] ?? "";
      const slot = slots[at];
      if (slot === undefined) continue;
      slot.classList.add("filled");
      slot.replaceChildren(drawing(name, 60), hidden(titles[name] ?? name));
      await scene.move(slot, [{ transform: "translateY(-60%) scale(.4)", opacity: 0 }, { transform: "none", opacity: 1 }], 260);
    }
    await scene.pause(160);
  }
  const winning = winners(outcome);
  for (const gain of outcome.gains) {
    for (const cell of gain.cells) slots[cell]?.classList.add("win");
    await scene.pause(420);
  }
  if (winning.size > 0) slots.forEach((slot, at) => { if (!winning.has(at)) slot.classList.add("dim"); });
}

/** Covers the board again, for the next unit. */
export function clear(root: ParentNode, words: { [key: string]: string }): void {
  for (const tile of root.querySelectorAll(".tile")) {
    tile.className = "tile";
    tile.querySelector(".unseen")?.replaceWith(hidden(words["tile.covered"] ?? ""));
  }
  for (const line of root.querySelectorAll(".line")) line.classList.remove("on");
  for (const slot of root.querySelectorAll(".slot")) { slot.className = "slot"; slot.replaceChildren(); }
  for (const row of document.querySelectorAll(".prizes .lit")) row.classList.remove("lit");
}
