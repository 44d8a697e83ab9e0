// A keyboard is enough: / goes to the search, the arrows through the rows of a list and to what shows more of them, Enter
// opens a row (it is a link).

const typing = (at: Element | null) => at !== null && at.matches("input, select, textarea, [contenteditable]");

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main .row, main .more button")].filter((one) => one.getClientRects().length > 0);
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const at = document.activeElement;
  if (event.key === "/" && !typing(at)) {
    const field = document.querySelector<HTMLInputElement>("main [type=search]");
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
    return;
  }
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
  const step = steps[event.key];
  if (step === undefined || (typing(at) && !at!.matches("[type=search]"))) return;
  const all = rows();
  const here = all.indexOf(at as HTMLElement);
  if (all.length === 0 || (here === -1 && step < 0)) return;
  event.preventDefault();
  if (here === 0 && step < 0) document.querySelector<HTMLElement>("main [type=search]")?.focus();
  else all[Math.min(all.length - 1, here + step)]!.focus();
});
