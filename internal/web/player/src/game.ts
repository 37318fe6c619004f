// A game's page: buying a unit, the choice that precedes the reveal, and the reveal itself.

import { buy, choose, shown, Refusal, type Outcome, type Play } from "./api.js";
import { clear, revealBags, revealTiles, type Titles } from "./board.js";
import { amount, refreshMeters, refreshPills } from "./live.js";
import { Scene } from "./scene.js";

interface Words { [key: string]: string }

export function startGame(root: HTMLElement): void {
  const form = document.getElementById("play");
  if (form instanceof HTMLFormElement) new Game(root, form).start();
}

class Game {
  private readonly name: string;
  private readonly titles: Titles;
  private readonly words: Words;
  private readonly pick: number;
  private readonly result = document.getElementById("result");
  private readonly french = document.documentElement.lang !== "en";
  private play: string | undefined;
  private busy = false;

  constructor(private readonly root: HTMLElement, private form: HTMLFormElement) {
    this.name = root.dataset["game"] ?? "";
    this.titles = JSON.parse(root.dataset["titles"] ?? "{}") as Titles;
    this.words = JSON.parse(root.dataset["words"] ?? "{}") as Words;
    this.pick = Number(root.dataset["pick"] ?? "0");
    this.play = root.dataset["play"];
  }

  start(): void {
    for (const stake of this.root.querySelectorAll<HTMLInputElement>(".stake input")) {
      stake.addEventListener("change", () => { location.assign(this.gamePath(stake.value)); });
    }
    if (this.choosing()) this.startChoice(); else this.form.addEventListener("submit", (event) => { event.preventDefault(); void this.buy(); });
  }

  private choosing(): boolean { return this.root.querySelector(".bag input") !== null; }

  private say(headline: string, explained = "", kind = ""): void {
    if (this.result === null) return;
    const strong = document.createElement("strong");
    const span = document.createElement("span");
    strong.textContent = headline;
    span.textContent = explained;
    this.result.className = ("result " + kind).trim();
    this.result.replaceChildren(strong, " ", span);
  }

  private lock(locked: boolean): void {
    this.busy = locked;
    for (const button of this.form.querySelectorAll("button")) button.disabled = locked;
    const stakes = this.root.querySelector<HTMLFieldSetElement>(".stakes");
    if (stakes !== null) stakes.disabled = locked;
  }

  /** One press is one purchase: the form's key stays until its answer is known, also over a reload. */
  private async buy(): Promise<void> {
    if (this.busy) return;
    const stake = new FormData(this.form).get("mise");
    const key = this.form.querySelector<HTMLInputElement>("[name=cle]");
    if (typeof stake !== "string" || key === null) return;
    this.lock(true);
    if (this.pick === 0) clear(this.root, this.words);
    this.say("", this.words["busy"] ?? "");
    try {
      const play = await buy(this.name, stake, key.value, this.play);
      key.value = crypto.randomUUID();
      if (!play.disclosed) { location.assign(this.unitPath(play.id)); return; }
      await this.reveal(play, []);
    } catch (problem) {
      this.refused(problem);
    }
  }

  private gamePath(stake: string): string {
    return (this.french ? "" : "/en") + "/jeu/" + this.name + "?mise=" + encodeURIComponent(stake);
  }

  private unitPath(id: string): string { return (this.french ? "" : "/en") + "/unite/" + id; }

  private refused(problem: unknown): void {
    this.lock(false);
    if (!(problem instanceof Refusal)) throw problem;
    if (problem.code === "unfinished_play" && problem.play !== undefined) { location.assign(this.unitPath(problem.play)); return; }
    if (problem.code === "offline") { this.say("", this.words["offline"] ?? ""); return; }
    this.form.submit(); // the server's page says it in the visitor's language, with the same key
  }

  private startChoice(): void {
    const boxes = [...this.root.querySelectorAll<HTMLInputElement>(".bag input")];
    const order: number[] = [];
    const forMe = document.getElementById("for-me");
    const selected = () => {
      for (const [at, box] of boxes.entries()) {
        const place = order.indexOf(at);
        box.checked = place >= 0;
        box.parentElement?.querySelector(".order")?.remove();
        if (place < 0) continue;
        const mark = document.createElement("span");
        mark.className = "order";
        mark.setAttribute("aria-hidden", "true");
        mark.textContent = String(place + 1);
        box.parentElement?.append(mark);
      }
      const left = this.pick - order.length;
      const said = left === this.pick ? this.words["choose"] : left === 1 ? this.words["choose.left.one"] : this.words["choose.left.more"];
      if (left > 0) this.say((said ?? "").replace("%d", String(left)), this.words["choose.no.effect"] ?? "");
      else void this.open(order, boxes);
    };
    for (const [at, box] of boxes.entries()) {
      box.addEventListener("change", () => {
        if (this.busy) { box.checked = order.includes(at); return; }
        if (box.checked && order.length < this.pick) order.push(at); else if (order.includes(at)) order.splice(order.indexOf(at), 1);
        selected();
      });
    }
    const button = this.form.querySelector<HTMLButtonElement>("button.play");
    if (button !== null) button.hidden = true; // three selected bags open by themselves (art. 4.3)
    if (forMe !== null) {
      forMe.hidden = false;
      forMe.addEventListener("click", () => {
        if (this.busy) return;
        const free = boxes.map((_, at) => at).filter((at) => !order.includes(at));
        while (order.length < this.pick) order.push(...free.splice(Math.floor(Math.random() * free.length), 1));
        selected();
      });
    }
    this.form.addEventListener("submit", (event) => event.preventDefault());
  }

  private async open(order: number[], boxes: HTMLInputElement[]): Promise<void> {
    this.lock(true);
    for (const box of boxes) box.disabled = true;
    this.say("", this.words["busy"] ?? "");
    try {
      await this.reveal(await choose(this.play ?? "", order), order);
    } catch (problem) {
      if (problem instanceof Refusal && problem.code === "offline") {
        this.lock(false);
        for (const box of boxes) box.disabled = false;
        this.say("", this.words["offline"] ?? "");
        return;
      }
      location.reload(); // the page shows what was recorded
    }
  }

  private async reveal(play: Play, order: number[]): Promise<void> {
    const outcome = play.outcome;
    if (outcome === undefined) { location.reload(); return; }
    const scene = new Scene();
    const skip = this.offerSkip(scene);
    if (order.length > 0) await revealBags(this.root, outcome, order, this.titles, scene);
    else await revealTiles(this.root, outcome, this.titles, scene);
    skip.remove();
    await this.finish(play, outcome, scene);
  }

  private offerSkip(scene: Scene): HTMLButtonElement {
    const skip = document.createElement("button");
    skip.type = "button";
    skip.id = "skip";
    skip.className = "ghost";
    skip.textContent = this.words["skip.reveal"] ?? "";
    skip.addEventListener("click", () => scene.skip());
    this.form.append(skip);
    return skip;
  }

  private async finish(play: Play, outcome: Outcome, scene: Scene): Promise<void> {
    this.play = play.id;
    const jackpot = Number(outcome.jackpot?.won ?? "0") > 0;
    const statement = this.french ? outcome.statement.fr : outcome.statement.en;
    const [headline = "", rest = ""] = statement.split(" (", 2);
    const kind = jackpot || outcome.kind === "win" ? "win" : outcome.kind === "stake-back" ? "push" : "";
    this.say(headline, rest.replace(").", ""), kind);
    for (const gain of outcome.gains) document.querySelector(`[data-combination="${gain.combination}"]`)?.classList.add("lit");
    try { await shown(play.id); } catch { /* it is offered again, already settled */ }
    await Promise.allSettled([refreshPills(), refreshMeters()]);
    if (kind === "win" && !jackpot) await this.countUp(outcome.prize, headline, scene);
    if (this.choosing()) { this.offerNext(); return; }
    const verb = this.form.querySelector(".verb");
    if (verb !== null) verb.textContent = this.words["again"] ?? "";
    this.lock(false);
    this.form.querySelector<HTMLButtonElement>("button.play")?.focus({ preventScroll: true });
  }

  /** The amount counts up to what the statement says, for the eye only. */
  private async countUp(prize: string, headline: string, scene: Scene): Promise<void> {
    const shownAmount = this.result?.querySelector("strong");
    const at = headline.lastIndexOf(" : ") >= 0 ? headline.lastIndexOf(" : ") + 3 : headline.lastIndexOf(": ") + 2;
    if (!shownAmount || scene.still || at < 2) return;
    const label = headline.slice(0, at);
    const steps = 24;
    for (let step = 1; step < steps; step++) {
      shownAmount.textContent = label + amount(String((Number(prize) * step) / steps));
      await scene.pause(30);
    }
    shownAmount.textContent = headline;
  }

  /** After a unit with a choice the form buys the next one, as it does on the server's pages. */
  private offerNext(): void {
    const stake = this.root.querySelector<HTMLInputElement>(".stake input:checked");
    const field = (name: string, value: string) => {
      const input = document.createElement("input");
      input.type = "hidden";
      input.name = name;
      input.value = value;
      return input;
    };
    const button = document.createElement("button");
    const price = document.createElement("span");
    button.className = "play";
    button.type = "submit";
    price.className = "price";
    price.textContent = stake?.dataset["label"] ?? "";
    button.append((this.words["again"] ?? "") + " ", price);
    const next = this.form.cloneNode(false) as HTMLFormElement; // without the listeners of the choice
    next.action = (this.french ? "" : "/en") + "/jeu/" + this.name + "/jouer";
    next.replaceChildren(field("cle", crypto.randomUUID()), field("vue", this.play ?? ""), button);
    this.form.replaceWith(next);
    this.form = next;
    next.addEventListener("submit", (event) => { event.preventDefault(); void this.buy(); });
    this.lock(false);
    button.focus({ preventScroll: true });
  }
}
