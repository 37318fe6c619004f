// A scene is a sequence of movements that can be skipped: whoever waits for a step goes on at once
// and every animation jumps to its end.

export class Scene {
  private skipped = false;
  private readonly running = new Set<Animation>();
  private readonly waiting = new Set<() => void>();
  readonly still = matchMedia("(prefers-reduced-motion: reduce)").matches;

  skip(): void {
    this.skipped = true;
    for (const animation of this.running) animation.finish();
    for (const wake of this.waiting) wake();
  }

  /** Waits, unless the scene is skipped or motion is not wanted. */
  pause(milliseconds: number): Promise<void> {
    if (this.skipped) return Promise.resolve();
    return new Promise((done) => {
      const wake = () => { this.waiting.delete(wake); clearTimeout(timer); done(); };
      const timer = setTimeout(wake, this.still ? Math.min(milliseconds, 20) : milliseconds);
      this.waiting.add(wake);
    });
  }

  /** Moves an element, unless the scene is skipped; a still scene only fades. */
  async move(element: Element, frames: Keyframe[], milliseconds: number): Promise<void> {
    if (this.skipped) return;
    const animation = this.still
      ? element.animate([{ opacity: 0.4 }, { opacity: 1 }], { duration: 120 })
      : element.animate(frames, { duration: milliseconds, easing: "cubic-bezier(.3,.7,.3,1)" });
    this.running.add(animation);
    try { await animation.finished; } catch { /* cancelled: the end state stands in the classes */ }
    this.running.delete(animation);
  }
}
