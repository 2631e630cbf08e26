// The pages' small script, as the browser gets it: it fetches the page again when something has changed, and copies JSON. Without it, everything
// can still be read. Nothing here runs in the Worker.

/** `/inspect/live.js`. */
export const LIVE_SCRIPT = `const LONGEST_MS = 570000;
const main = () => document.querySelector("main");
const note = document.querySelector("#live");
let source = null, since = 0, isBusy = false, isStale = false, isHeld = false;
function close(text) {
  source?.close();
  source = null;
  note.textContent = text;
}
function open() {
  const address = main().dataset.watch;
  if (source || !address || document.hidden) return;
  since = Date.now();
  source = new EventSource(address);
  source.onopen = () => {
    note.textContent = note.dataset.live;
    renew();
  };
  source.onmessage = renew;
  source.onerror = () => {
    note.textContent = "";
    if (Date.now() - since > LONGEST_MS || source.readyState === 2) close(note.dataset.paused);
  };
}
async function renew() {
  isStale = isBusy;
  if (isBusy) return;
  isBusy = true;
  try {
    const answer = await fetch(location, { signal: AbortSignal.timeout(20000) });
    if (answer.ok) replace(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main"));
    else if (answer.status === 404) close("");
  } catch {}
  isBusy = false;
  if (isStale) renew();
}
const key = (one) => one.parentNode.id || one.closest("[id]").id + one.outerHTML;
function replace(next) {
  const old = main();
  const typed = document.activeElement;
  isHeld = typed.matches("main form *");
  if (isHeld) return;
  const [left, top] = [scrollX, scrollY];
  old.replaceWith(next);
  const named = {};
  for (const one of next.querySelectorAll("a, button, summary")) (named[key(one)] ??= []).push(one);
  for (const one of old.querySelectorAll("a, button, summary")) {
    const same = named[key(one)]?.shift() ?? one;
    same.parentNode.open = one.parentNode.open;
    if (one === typed) same.focus();
  }
  scrollTo(left, top);
  if (!next.dataset.watch) close("");
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) close("");
  else open();
});
document.addEventListener("focusout", () => {
  if (isHeld) renew();
});
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const address = button.dataset.copy;
  try {
    const answer = await fetch(address);
    if (!answer.ok) return location.reload();
    await navigator.clipboard.writeText(await answer.text());
    button.textContent = button.dataset.copied;
  } catch {
    location.href = address;
  }
});
open();
`;
