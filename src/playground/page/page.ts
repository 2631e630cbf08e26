// The page's root: which channel is shown and to whom, and what each part gets when that changes.
import {
  type Form,
  formIn,
  listMenu,
  listUsable,
  offers,
  picked,
  type Registered,
  registered,
  submitForm,
  use,
  useOn,
} from "./apps.ts";
import { composer } from "./composer.ts";
import { follow } from "./connection.ts";
import { element, required } from "./element.ts";
import { openForm } from "./form.ts";
import { timeline } from "./timeline.ts";
import { weatherLevers } from "./weather.ts";
import {
  type Answer,
  buildQuery,
  type Channel,
  click,
  type PostResult,
  readWorld,
  say,
  type View,
  type WorldState,
} from "./world.ts";

const RETRY_MS = 1_500;
const ALERT_MS = 8_000;
const DIRECT_MESSAGE = 1;
const THREADS = [10, 11, 12];

let world: WorldState = { channels: [], people: [], messages: [] };
let view: { channel: string; as: string } | undefined;
let commands: Registered[] = [];
let leave = () => {};
let visit = 0;
let alertTimer: number | undefined;

const rail = required("rail", HTMLElement);
const railToggle = required("rail-toggle", HTMLButtonElement);
const scroller = required("scroller", HTMLElement);
const lost = required("lost", HTMLElement);
const alert = required("alert", HTMLElement);

const list = timeline(scroller, required("messages", HTMLElement), required("jump", HTMLButtonElement), {
  names: (sigil, id) => (sigil === "#" ? world.channels : world.people).find((one) => one.id === id)?.name,
  click: async (messageId, customId) => {
    const { channel, as } = view ?? { channel: "", as: "" };
    return showAnswer(await click(channel, as, messageId, customId));
  },
  menu: () => listMenu(commands),
  useOn: async (messageId, name) => {
    if (view) showResult(await useOn(view, messageId, name));
  },
});
const composerView = composer({
  async send(message, file) {
    if (!view) return false;
    list.pin();
    return showAnswer(await say(view.channel, view.as, message, file && (await picked(file)))).ok;
  },
  usable: () => listUsable(commands),
  use: async (command, options) => (view ? showResult(await use(view, command, options)) : false),
  offers: async (command, options, focused) => (view ? offers(view, command, options, focused) : []),
  speakAs(as) {
    // A message sent before the world is read again is already from this person.
    if (view) view = { ...view, as };
    void enter({ ...view, as });
  },
});

/** Shows a channel to a person, and again whenever the connection breaks. A later call replaces an earlier one. */
async function enter(next: View): Promise<void> {
  leave();
  const mine = ++visit;
  try {
    const read = await readWorld(next);
    if (mine !== visit) return;
    world = read;
  } catch {
    if (mine !== visit) return;
    lost.hidden = false;
    const retry = setTimeout(() => void enter(next), RETRY_MS);
    leave = () => clearTimeout(retry);
    return;
  }
  const channel = world.channels.find((one) => one.id === next.channel) ?? world.channels[0];
  const person = world.people.find((one) => one.id === next.as) ?? world.people[0];
  if (!channel || !person) return;
  view = { channel: channel.id, as: person.id };
  history.replaceState(null, "", `?${buildQuery(view)}`);
  drawFrame(channel, person.id);
  list.show(world.messages);
  list.pin();
  leave = follow(view, {
    messages: (messages) => list.show(messages),
    connection: (connected) => {
      lost.hidden = connected;
    },
  });
}

function drawFrame(channel: Channel, as: string): void {
  const title = channelName(channel);
  document.title = `${title} · Parley playground`;
  required("channel-name", HTMLElement).textContent = title;
  required("welcome-name", HTMLElement).textContent = `Welcome to ${title}`;
  required("channels", HTMLElement).replaceChildren(
    ...world.channels.map((one) => {
      const current = one.id === channel.id;
      const button = element("button", { type: "button", "aria-current": current && "page" }, channelName(one));
      if (THREADS.includes(one.type)) button.classList.add("thread");
      button.addEventListener("click", () => {
        showRail(false);
        void enter({ as, channel: one.id }).then(composerView.focus);
      });
      return element("li", {}, button);
    }),
  );
  composerView.people(world.people, as);
  composerView.address(title);
}

const channelName = ({ name, type }: Channel) =>
  `${type === DIRECT_MESSAGE ? "@" : THREADS.includes(type) ? "↳ " : "#"}${name.replace(/^[#@]/, "")}`;

/** Shows the result of a command, and opens the form that it may have answered with. */
function showResult(answer: PostResult): boolean {
  const form = formIn(answer);
  if (form) openForm(form, (fields) => send(form, fields));
  else list.pin();
  return showAnswer(answer).ok;
}

async function send(form: Form, fields: Parameters<typeof submitForm>[2]): Promise<boolean> {
  return view ? showResult(await submitForm(view, form, fields)) : false;
}

function showAnswer(answer: Answer): Answer {
  clearTimeout(alertTimer);
  alert.hidden = answer.ok;
  if (answer.ok) return answer;
  alert.textContent = answer.error;
  alertTimer = setTimeout(() => {
    alert.hidden = true;
  }, ALERT_MS);
  return answer;
}

function showRail(open: boolean): void {
  rail.classList.toggle("open", open);
  railToggle.setAttribute("aria-expanded", String(open));
}

railToggle.addEventListener("click", () => showRail(!rail.classList.contains("open")));
scroller.addEventListener("click", () => showRail(false));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") showRail(false);
});

void registered().then((known) => {
  commands = known;
  list.show(world.messages);
});
const asked = new URLSearchParams(location.search);
void enter({ channel: asked.get("channel") ?? undefined, as: asked.get("as") ?? undefined }).then(composerView.focus);
void weatherLevers(showAnswer);
