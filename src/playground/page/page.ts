// The page's root: which channel is shown and to whom, and what each part gets when that changes.
import {
  type Form,
  findOffered,
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
import { required } from "./element.ts";
import { openForm } from "./form.ts";
import { describeChannel, drawRail, nameChannel } from "./rail.ts";
import { timeline } from "./timeline.ts";
import { weatherLevers } from "./weather.ts";
import {
  type Answer,
  buildQuery,
  type Channel,
  click,
  type Person,
  type PostResult,
  readWorld,
  say,
  type View,
  type WorldState,
} from "./world.ts";

const RETRY_MS = 1_500;
const ALERT_MS = 8_000;

let world: WorldState = { servers: [], channels: [], people: [], messages: [] };
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
  menu: () => listMenu(offered()),
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
  usable: () => listUsable(offered()),
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
  // This person does not see the channel that was asked for.
  if (next.channel !== undefined && next.channel !== channel.id) return enter({ as: person.id, channel: channel.id });
  view = { channel: channel.id, as: person.id };
  history.replaceState(null, "", `?${buildQuery(view)}`);
  alert.hidden = true;
  drawFrame(channel, person);
  list.show(world.messages);
  list.pin();
  leave = follow(view, {
    messages: (messages) => list.show(messages),
    connection: (connected) => {
      lost.hidden = connected;
    },
  });
}

function drawFrame(channel: Channel, person: Person): void {
  const title = nameChannel(channel);
  document.title = `${title} · Parley playground`;
  required("channel-name", HTMLElement).textContent = title;
  required("topic", HTMLElement).textContent = describeChannel(channel, world, person);
  required("welcome-name", HTMLElement).textContent = `Welcome to ${title}`;
  drawRail(world, channel, person, (id) => {
    showRail(false);
    void enter({ as: person.id, channel: id }).then(composerView.focus);
  });
  composerView.people(world, channel.serverId, person.id);
  composerView.address(title);
}

/** The commands that exist in the shown channel. */
function offered(): Registered[] {
  const channel = world.channels.find(({ id }) => id === view?.channel);
  return channel ? findOffered(commands, channel) : [];
}

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
