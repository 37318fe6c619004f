// Buttons that copy a file's text, such as a receipt. They are shown only where the browser can copy.

export function keepCopies(): void {
  if (!("clipboard" in navigator)) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => void copy(button));
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const answer = await fetch(button.dataset["copy"] ?? "");
  if (!answer.ok) return;
  await navigator.clipboard.writeText(await answer.text());
  const label = button.textContent;
  button.textContent = button.dataset["copied"] ?? label;
  setTimeout(() => { button.textContent = label; }, 3000);
}
