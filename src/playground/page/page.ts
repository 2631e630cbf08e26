// The page's root: decides which channel is shown to whom, and updates each part when that changes.
import { onReturn, readAddress, writeAddress } from "./address.ts";
import { hideAlert, showAnswer } from "./alert.ts";
import { formIn, offers, picked, registered, submitForm, use, useOn } from "./apps.ts";
import { type Form, fileOption, findOffered, listMenu, listUsable, type Registered } from "./commands.ts";
import { composer, type Draft } from "./composer.ts";
import { follow } from "./connection.ts";
import { required } from "./element.ts";
import { openForm } from "./form.ts";
import { fromWire, toWire } from "./mentions.ts";
import { openInside } from "./panel/inside.ts";
import { listMentionable } from "./people.ts";
import { describeBox, describeChannel, describeStart, nameChannel } from "./places.ts";
import { showProblems } from "./problems.ts";
import { refreshTimes } from "./prose.ts";
import { drawRail, showRail, wireRail } from "./rail.ts";
import { replyFields, replyTo } from "./reply.ts";
import { askIn, readBox } from "./sending.ts";
import type { Seen, WorldState } from "./shapes.ts";
import { drawSpeakers } from "./speakers.ts";
import { themeSwitch } from "./theme.ts";
import { timeline } from "./timeline.ts";
import { nameTyping } from "./typing.ts";
import { unansweredLine } from "./unanswered.ts";
import { click, type PostResult, readWorld, speak, type Touch, tellTyping, touch, type View } from "./world.ts";

const RETRY_MS = 1_500;
const MINUTE_MS = 60_000;

const NOBODY = { id: "", name: "Parley", listens: false };
let world: WorldState = { bot: NOBODY, servers: [], channels: [], people: [], messages: [], typing: [] };
let view: { channel: string; as: string } | undefined;
let commands: Registered[] = [];
let leave = () => {};
let visit = 0;

const scroller = required("scroller", HTMLElement);
const lost = required("lost", HTMLElement);
const typing = required("typing", HTMLElement);

const inside = openInside(showAnswer, goToChannel);
const unanswered = unansweredLine();

const known = () => [...world.people, world.bot];
const namable = () => [...known(), ...world.channels];
const nowhere = { channel: "", as: "" };

const list = timeline(scroller, required("messages", HTMLElement), required("jump", HTMLButtonElement), {
  names: (sigil, id) => (sigil === "#" ? world.channels : known()).find((one) => one.id === id)?.name,
  known: namable,
  me: () => view?.as ?? "",
  find: (messageId) => world.messages.find(({ id }) => id === messageId),
  goTo: (messageId) => list.goTo(messageId),
  click: async (messageId, customId) => {
    const { channel, as } = view ?? nowhere;
    return showAnswer(await click(channel, as, messageId, customId));
  },
  menu: () => listMenu(offered()),
  useOn: async (messageId, name) => showResult(await useOn(view ?? nowhere, messageId, name)),
  reply: ({ id }) => {
    const message = world.messages.find((one) => one.id === id);
    if (message && view) composerView.reply(replyTo(message, view.as, namable()));
  },
  editable: ({ content }) => fromWire(content, known()),
  edit: (messageId, text) => {
    if (text !== null) void change(messageId, { kind: "edit", content: toWire(text, known()) });
    composerView.focus();
  },
  remove: (messageId) => {
    void change(messageId, { kind: "delete" });
    composerView.focus();
  },
  react: (messageId, emoji, isOn) => void change(messageId, { kind: isOn ? "react" : "unreact", emoji }),
});
const composerView = composer({
  send,
  ask: (question) => {
    const channel = shown();
    if (channel) void send({ text: askIn(channel, world.bot, question), file: null, reply: null });
  },
  typing: () => void (view && tellTyping(view)),
  mentionable: () => {
    const channel = shown();
    return channel && view ? listMentionable(world, channel, view.as) : [];
  },
  editLast: () => {
    const own = world.messages.findLast(({ author, deed }) => author.id === view?.as && deed === undefined);
    if (own && list.edit(own.id)) list.goTo(own.id);
  },
  goTo: (messageId) => list.goTo(messageId),
  usable: () => listUsable(offered()),
  use: async (command, options) => (view ? showResult(await use(view, command, options)) : false),
  offers: async (command, options, focused) => (view ? offers(view, command, options, focused) : []),
});

/** Shows a channel to a person; retries while the playground does not answer. A later call replaces an earlier one. */
async function enter(next: View): Promise<void> {
  leave();
  const mine = ++visit;
  try {
    // Wait for the commands, too: until they are known, a typed command would be sent as a message.
    const [read, known] = await Promise.all([readWorld(next), registered()]);
    if (mine !== visit) return;
    world = read;
    commands = known;
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
  // This person can't see the requested channel.
  if (next.channel !== undefined && next.channel !== channel.id) return enter({ as: person.id, channel: channel.id });
  const isStep = view !== undefined && view.channel !== channel.id;
  view = { channel: channel.id, as: person.id };
  writeAddress(view, isStep);
  hideAlert();
  unanswered.hide();
  drawSpeakers(world, channel.serverId, person.id, speakAs);
  composerView.address(describeBox(channel, world), channel.id);
  drawFrame();
  draw();
  list.pin();
  leave = follow(view, {
    seen: (seen) => void show(seen),
    connection: (connected) => {
      lost.hidden = connected;
      if (connected) void Promise.all([readCommands(), showProblems()]);
    },
  });
}

/** Draws what has changed in the shown channel and around it. */
function show(seen: Seen): void {
  const isFrameNew = JSON.stringify(seen.channels) !== JSON.stringify(world.channels);
  world = { ...world, ...seen };
  // The channel was deleted, or the world was reset.
  if (!shown()) return void enter({ as: view?.as });
  if (isFrameNew) drawFrame();
  draw();
}

/** Draws the messages and who is typing. */
function draw(): void {
  list.show(world.messages);
  composerView.messages(world.messages);
  if (view) inside.look({ channel: view.channel, messages: world.messages });
  const names = world.typing.flatMap((id) => known().find((one) => one.id === id)?.name ?? []);
  typing.textContent = nameTyping(names);
  unanswered.seen(world);
}

/** Draws the rail and the titles. */
function drawFrame(): void {
  const channel = shown();
  const person = world.people.find(({ id }) => id === view?.as);
  if (!channel || !person) return;
  const title = nameChannel(channel);
  document.title = `${title} · Parley playground`;
  required("channel-name", HTMLElement).textContent = title;
  required("topic", HTMLElement).textContent = describeChannel(channel, world, person);
  required("welcome-name", HTMLElement).textContent = `Welcome to ${title}`;
  required("welcome-start", HTMLElement).textContent = describeStart(channel, world);
  drawRail(world, channel, person, goToChannel);
}

function goToChannel(channel: string, messageId?: string): void {
  showRail(false);
  if (messageId !== undefined && channel === view?.channel) list.goTo(messageId);
  else void enter({ as: view?.as, channel }).then(composerView.focus);
}

function speakAs(as: string): void {
  // Until the world has been read again, messages are already sent as this person.
  if (view) view = { ...view, as };
  void enter({ ...view, as });
}

const shown = () => world.channels.find(({ id }) => id === view?.channel);

/** Lists the commands that exist in the shown channel. */
function offered(): Registered[] {
  const channel = shown();
  return channel ? findOffered(commands, channel) : [];
}

async function send({ text, file, reply }: Draft): Promise<boolean> {
  const channel = shown();
  if (!view || !channel) return false;
  list.pin();
  const sending = readBox(text, listUsable(offered()), known());
  const attached = file && (await picked(file));
  if (sending.kind === "command") {
    const name = fileOption(sending.command);
    const options = { ...sending.options, ...(attached && name && { [name]: { attachment: attached } }) };
    return showResult(await use(view, sending.command, options));
  }
  const { content } = sending;
  const answer = await speak(view, { content, ...(attached && { file: attached }), ...replyFields(reply) });
  const answered = world.messages.find(({ id }) => id === reply?.messageId);
  if (answer.ok) unanswered.sent(content, channel, world.bot, answered);
  return showAnswer(answer).ok;
}

async function change(messageId: string, act: Touch): Promise<void> {
  showAnswer(await touch(view?.as ?? "", messageId, act));
}

/** Shows the result of a command, and opens the form if the answer has one. */
function showResult(answer: PostResult): boolean {
  const form = formIn(answer);
  if (form) openForm(form, (fields) => submit(form, fields));
  else list.pin();
  return showAnswer(answer).ok;
}

async function submit(form: Form, fields: Parameters<typeof submitForm>[2]): Promise<PostResult> {
  const answer = await submitForm(view ?? nowhere, form, fields);
  showResult(answer);
  return answer;
}

async function readCommands(): Promise<void> {
  commands = await registered();
  draw();
}

wireRail(scroller);
scroller.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-channel]") : null;
  if (!link?.dataset.channel) return;
  event.preventDefault();
  goToChannel(link.dataset.channel, link.dataset.message);
});
setInterval(() => refreshTimes(scroller), MINUTE_MS);

onReturn((next) => void enter(next).then(composerView.focus));
void enter(readAddress()).then(composerView.focus);
themeSwitch(required("theme", HTMLButtonElement));
