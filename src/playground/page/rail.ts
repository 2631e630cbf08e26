// The rail: the servers and direct messages of the person who speaks, and the channels in the shown one.
import { element, required } from "./element.ts";
import { isThread, nameChannel } from "./places.ts";
import type { Channel, Person, WorldState } from "./shapes.ts";
import { unreadMarks } from "./unread.ts";

/** The name of the place for channels outside servers. */
const HOME = "Direct messages";

/** What a screen reader adds for a place with unread messages. */
const UNREAD = " (unread)";

const findUnread = unreadMarks();
/** What the rail currently shows. If it is unchanged, nothing is redrawn, so that a focused button stays. */
let drawn = "";

/** Draws the rail around the shown channel. `enter` receives the id of the channel that the person chooses. */
export function drawRail(world: WorldState, shown: Channel, person: Person, enter: (channelId: string) => void): void {
  const unread = findUnread(person.id, shown.id, world.channels);
  const wanted = JSON.stringify([
    world.servers,
    world.channels.map((one) => ({ ...one, newest: unread.has(one.id) })),
    shown.id,
    person.name,
  ]);
  if (wanted === drawn) return;
  drawn = wanted;
  const places = [{ id: undefined, name: HOME }, ...world.servers];
  required("servers", HTMLElement).replaceChildren(
    ...places.map(({ id, name }) => {
      const first = world.channels.find(({ serverId }) => serverId === id);
      const current = id === shown.serverId;
      const isUnread = !current && world.channels.some((one) => one.serverId === id && unread.has(one.id));
      const label = first ? `${name}${isUnread ? UNREAD : ""}` : `${name}: ${person.name} is not a member`;
      const attributes = { type: "button", title: label, "aria-label": label, "aria-current": current && "true" };
      const button = element("button", {
        ...attributes,
        class: isUnread ? "server unread" : "server",
        disabled: !first,
        "data-initials": initials(id && name),
      });
      button.addEventListener("click", () => first && enter(first.id));
      return element("li", {}, button);
    }),
  );
  required("place-name", HTMLElement).textContent = places.find(({ id }) => id === shown.serverId)?.name ?? HOME;
  required("channels", HTMLElement).replaceChildren(
    ...listChannels(world.channels, shown.serverId).map((one) => {
      const current = one.id === shown.id && "page";
      const button = element("button", { type: "button", "aria-current": current }, nameChannel(one));
      if (isThread(one)) button.classList.add("thread");
      if (unread.has(one.id)) {
        button.classList.add("unread");
        button.append(element("span", { class: "unseen" }, UNREAD));
      }
      button.addEventListener("click", () => enter(one.id));
      return element("li", {}, button);
    }),
  );
}

/** Shows the rail on a narrow window, or hides it. */
export function showRail(open: boolean): void {
  required("rail", HTMLElement).classList.toggle("open", open);
  required("rail-toggle", HTMLButtonElement).setAttribute("aria-expanded", String(open));
}

/**
 * Lets the button open and close the rail; a click outside it or Escape also closes it. The keyboard's focus moves into the rail, and Escape
 * moves it back.
 */
export function wireRail(beside: HTMLElement): void {
  const rail = required("rail", HTMLElement);
  const toggle = required("rail-toggle", HTMLButtonElement);
  const isOpen = () => rail.classList.contains("open");
  toggle.addEventListener("click", () => {
    showRail(!isOpen());
    if (isOpen()) rail.querySelector<HTMLElement>("#channels [aria-current]")?.focus();
  });
  beside.addEventListener("click", () => showRail(false));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    showRail(false);
    toggle.focus();
  });
}

/** Lists the channels of a place, each with its threads below it. */
function listChannels(channels: readonly Channel[], place: string | undefined): Channel[] {
  const here = channels.filter(({ serverId }) => serverId === place);
  const top = here.filter(({ parentId }) => !here.some(({ id }) => id === parentId));
  return top.flatMap((one) => [one, ...here.filter(({ parentId }) => parentId === one.id)]);
}

/** Returns the first letters of the words in a server's name, as for a server without a picture. */
const initials = (name: string | undefined): string =>
  name === undefined
    ? "💬"
    : name
        .split(/\s+/)
        .map(([first]) => first ?? "")
        .join("")
        .slice(0, 3);
