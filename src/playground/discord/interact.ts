// The people's side: a person does something; Discord builds and signs the interaction, sends it, waits at most 3 s, and shows the person the
// result.
import type { Interact, Outcome } from "./acts.ts";
import { applyCallback } from "./callbacks.ts";
import { type Answer, invalidForm, refuse } from "./errors.ts";
import { findContext, findOwners, refusePresence } from "./installs.ts";
import { type Built, buildData } from "./interaction-data.ts";
import { MESSAGE_TYPES } from "./message-types.ts";
import { createMessage } from "./messages.ts";
import { applicationPermissions } from "./permissions.ts";
import { FLAGS } from "./rules.ts";
import { isTooLate } from "./tokens.ts";
import { ATTACHMENT_SIZE_LIMIT, channelJson, memberJson, messageJson, userJson } from "./wire.ts";
import { findChannel, findPerson, type Interaction, type Owners, type World } from "./world.ts";

/** The client's lines when a command, and when a component, gets no answer in time. */
const NO_RESPONSE = "The application did not respond";
const INTERACTION_FAILED = "This interaction failed";

/** The way an interaction is sent: it is signed first. */
interface Line {
  sign: (body: string) => Promise<Request>;
  dispatch: (request: Request) => Promise<Response>;
}

/**
 * Does what `input` says, and resolves when the endpoint has answered; without an endpoint, when the callback has come or `expire` finds that
 * its time is over. Never rejects: a crash of the endpoint is part of the outcome.
 */
export async function interact(world: World, { dispatch, sign }: Line, input: Interact): Promise<Outcome> {
  const channel = findChannel(world, input.channel);
  const person = findPerson(world, input.as, channel.serverId);
  const absent = input.kind === "ping" ? null : refusePresence(world, channel, person);
  if (absent !== null) return impossible(absent);
  const built = buildData({ world, personId: person.id, channelId: channel.id }, input);
  if ("impossible" in built) return impossible(built.impossible);
  const { registered, inherited } = built;
  const owners = findOwners({
    person,
    channel,
    registered,
    inherited,
    userInstallOnly: input.userInstallOnly ?? false,
  });
  if ("refusal" in owners) return impossible(owners.refusal);
  const interaction = begin(world, input, built, owners);
  const json = interactionJson(world, interaction, built, input);
  const body = JSON.stringify(json);
  let status: number | null = null;
  if (world.options.interactionsEndpoint) {
    const answer = await send(dispatch, await sign(body));
    const refusal = applyInlineAnswer(world, interaction, answer);
    if (refusal)
      world.violations.push({
        at: world.now(),
        where: "answer to an interaction",
        refusal,
        body: answer?.body ?? null,
      });
    status = answer?.status ?? null;
  } else {
    const { promise: outcomeKnown, resolve } = Promise.withResolvers<void>();
    interaction.onOutcome = resolve;
    world.happened({ kind: "interaction", channelId: channel.id, interaction: json });
    await outcomeKnown;
  }
  const outcome = showOutcome(world, interaction, status);
  return { ...outcome, interactionId: interaction.id, token: interaction.token, status, body };
}

const impossible = (error: string): Outcome => ({
  ok: false,
  seen: "impossible",
  error,
  interactionId: "",
  token: "",
  status: null,
  body: "",
});

function begin(
  world: World,
  { as, channel, forceEphemeral = world.options.forceEphemeral }: Interact,
  built: Built,
  owners: Owners,
): Interaction {
  const id = world.snowflake();
  const interaction: Interaction = {
    id,
    token: btoa(`interaction:${id}:${world.interactions.size}`).replaceAll("=", ""),
    type: built.type,
    personId: as,
    channelId: channel,
    createdAt: world.now(),
    origin: { userId: as, name: findPerson(world, as).name, command: built.command, text: built.text },
    sourceId: built.source?.id ?? null,
    owners,
    forceEphemeral,
    acknowledged: null,
    failed: false,
    onOutcome: () => {},
    refusalsLeft: 0,
    originalId: null,
    followups: 0,
    shown: null,
  };
  world.interactions.set(id, interaction);
  return interaction;
}

/** Builds the interaction object (docs: "Interaction Structure"). A PING has no person and no channel. */
function interactionJson(
  world: World,
  interaction: Interaction,
  built: Built,
  { locale = "en-GB" }: Interact,
): Record<string, unknown> {
  const { id, token, type, channelId, personId } = interaction;
  const envelope = { id, application_id: world.applicationId, type, token, version: 1, entitlements: [] };
  if (type === 1) return { ...envelope, user: userJson(world, personId) };
  const person = findPerson(world, personId);
  const channel = findChannel(world, channelId);
  const invoker = channel.serverId
    ? {
        guild_id: channel.serverId,
        guild: { id: channel.serverId, locale: "en-US", features: [] },
        guild_locale: "en-US",
        member: memberJson(world, person, channel),
      }
    : { user: userJson(world, personId) };
  return {
    ...envelope,
    ...(built.data !== undefined && { data: built.data }),
    ...(built.source && { message: messageJson(world, built.source) }),
    ...invoker,
    channel: channelJson(world, channel, person),
    channel_id: channelId,
    context: findContext(channel),
    locale,
    app_permissions: String(applicationPermissions(world, channel)),
    authorizing_integration_owners: interaction.owners,
    attachment_size_limit: ATTACHMENT_SIZE_LIMIT,
    ...built.extra,
  };
}

interface EndpointAnswer {
  status: number;
  isJson: boolean;
  body: string;
}

async function send(
  dispatch: (request: Request) => Promise<Response>,
  request: Request,
): Promise<EndpointAnswer | null> {
  try {
    const response = await dispatch(request);
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status: response.status, isJson, body: await response.text() };
  } catch {
    return null;
  }
}

/** Applies an inline answer. Returns the refusal, if there is one. */
function applyInlineAnswer(world: World, interaction: Interaction, answer: EndpointAnswer | null): Answer | null {
  if (!answer || isTooLate(world, interaction) || answer.status === 202) return null;
  if (answer.status !== 200) return null;
  if (interaction.acknowledged) return refuse("alreadyAcknowledged");
  if (!answer.isJson)
    return invalidForm([
      { path: [], code: "CONTENT_TYPE_INVALID", message: "An inline answer must be application/json." },
    ]);
  try {
    return applyCallback(world, interaction, JSON.parse(answer.body), { files: [], inline: true });
  } catch (error) {
    if (error instanceof SyntaxError) return refuse("invalidJson");
    throw error;
  }
}

/** Returns what the person sees now. After a 202, the callback may still come within the 3 s. */
function showOutcome(world: World, interaction: Interaction, status: number | null): Shown {
  const { acknowledged, originalId, shown } = interaction;
  if (!acknowledged) {
    if (status === 202 && !isTooLate(world, interaction)) return { ok: true, seen: "pending" };
    return fail(world, interaction);
  }
  const { type } = acknowledged;
  if (type === 1) return { ok: true, seen: "pong" };
  if (type === 8) return { ok: true, seen: "choices", shown };
  if (type === 9) return { ok: true, seen: "modal", shown };
  const messageId = originalId === null ? {} : { messageId: originalId };
  if (type === 6 || type === 7) return { ok: true, seen: "update", ...messageId };
  const isLoading = (world.messages.get(originalId ?? "")?.flags ?? 0) & FLAGS.loading;
  return { ok: true, seen: isLoading ? "thinking" : "message", ...messageId };
}

type Shown = Pick<Outcome, "ok" | "seen" | "messageId" | "shown" | "error">;

/** Shows the client's own line for every interaction that got no answer within 3 s. */
export function expire(world: World): void {
  for (const interaction of world.interactions.values())
    if (!interaction.failed && isTooLate(world, interaction)) fail(world, interaction);
}

function fail(world: World, interaction: Interaction): Shown {
  const { channelId, personId, id, origin, type } = interaction;
  const error = type === 3 ? INTERACTION_FAILED : NO_RESPONSE;
  const isNew = !interaction.failed;
  // Set the mark first: showing the line notifies listeners, who may call this again.
  interaction.failed = true;
  interaction.onOutcome();
  if (isNew && type !== 1 && type !== 4) {
    const about = {
      channelId,
      authorId: world.applicationId,
      type: MESSAGE_TYPES.commandReply,
      addressee: personId,
      interactionId: id,
      origin,
    };
    interaction.originalId = createMessage(world, { ...about, failed: error }, {}, []).id;
  }
  const messageId = interaction.originalId === null ? {} : { messageId: interaction.originalId };
  return { ok: false, seen: "failed", error, ...messageId };
}
