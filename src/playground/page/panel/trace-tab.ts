// The trace of the running turn in the shown channel, or else of the newest turn: the bot's own inspector, in a frame.
import { element } from "../element.ts";
import type { LocalMessage } from "../shapes.ts";
import { runningTurn } from "./running-turn.ts";
import type { Tab } from "./tabs.ts";

/** What is shown next to the panel. */
export type Shown = { channel: string; messages: readonly LocalMessage[] };

/** The address of a channel or message in the real Discord, which the inspector's links use. */
const IN_DISCORD = /^https:\/\/discord\.com\/channels\/[^/]+\/(\d+)(?:\/(\d+))?$/;

/** Creates the tab. Call `look` when the view next to the panel has changed; `goTo` shows a channel or a message there. */
export function traceTab(goTo: (channelId: string, messageId?: string) => void): Tab & { look(shown: Shown): void } {
  const none = element("p", { class: "sum" }, "No turn yet. Ask Parley something.");
  const frame = element("iframe", { title: "Trace of the turn", hidden: true });
  const all = element("a", { target: "_blank", rel: "noopener" }, "All turns of this channel");
  const home = element("a", { href: "/inspect", target: "_blank", rel: "noopener" }, "Inspector");
  const node = element(
    "section",
    { class: "tall" },
    element("p", { class: "sum links" }, all, " · ", home),
    none,
    frame,
  );
  // A frame knows the system's theme, but not the one chosen here.
  const paint = () =>
    frame.contentDocument?.documentElement.style.setProperty(
      "color-scheme",
      document.documentElement.dataset.theme ?? "",
    );
  const follow = (event: Event) => {
    const link = (event.target as Element).closest("a");
    const [, channelId, messageId] = IN_DISCORD.exec(link?.href ?? "") ?? [];
    if (channelId === undefined) return;
    event.preventDefault();
    goTo(channelId, messageId);
  };
  frame.addEventListener("load", () => {
    paint();
    frame.contentDocument?.addEventListener("click", follow);
  });
  new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  let shown: Shown | null = null;
  let isFollowed = false;
  let looked = "";

  async function refresh(): Promise<void> {
    if (!shown || !isFollowed) return;
    const { channel, messages } = shown;
    const running = runningTurn(messages);
    const key = JSON.stringify([channel, running, messages.at(-1)?.id, messages.at(-1)?.components.length]);
    if (key === looked) return;
    looked = key;
    all.href = `/inspect/channel/${channel}`;
    const turn = running ?? (await newestTurn(channel));
    const path = `/inspect/turn/${channel}/${turn}`;
    const found = turn ? await readJson(`${path}.json`) : turn;
    if (key !== looked) return;
    if (found === undefined) {
      looked = "";
      return;
    }
    const isThere = found !== null;
    none.hidden = isThere;
    frame.hidden = !isThere;
    // The frame follows a running turn by itself.
    if (isThere && frame.getAttribute("src") !== path) frame.src = path;
  }
  return {
    name: "trace",
    label: "Trace",
    node,
    follow: () => {
      isFollowed = true;
      looked = "";
      void refresh();
      return () => {
        isFollowed = false;
      };
    },
    look(next) {
      shown = next;
      void refresh();
    },
  };
}

/** Reads the first turn in the inspector's list. Null: there is none. Undefined: no answer came. */
async function newestTurn(channel: string): Promise<string | null | undefined> {
  const page = (await readJson(`/inspect/channel/${channel}.json`)) as
    | { turns?: { turnId: string }[] }
    | null
    | undefined;
  return page && (page.turns?.[0]?.turnId ?? null);
}

/** Reads JSON. Null: there is nothing at this address. Undefined: no answer came, for example while the runtime restarts. */
const readJson = (url: string): Promise<unknown> =>
  fetch(url).then(
    (response) => (response.ok ? response.json().catch(() => undefined) : response.status < 500 ? null : undefined),
    () => undefined,
  );
