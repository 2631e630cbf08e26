// Reads every variable and secret, with units in the names. A missing or invalid one becomes a problem that names the variable and never shows
// its value.
import { version } from "../package.json";
import { type AccessVariables, readAccess } from "./config/access.ts";
import { isHttp } from "./config/addresses.ts";
import { readBotUser } from "./config/bot-user.ts";
import { DISCORD, OPENAI } from "./config/defaults.ts";
import { hashParts, readDeployment, readGatewaySwitch } from "./config/gateway.ts";
import { type McpAdd, type McpServerConfig, readMcpAdd, readMcpServers } from "./config/mcp-servers.ts";
import { arePriced, type SplitModels, splitMediaModels } from "./config/media-models.ts";
import { type ModelConfig, namedModel, readModels, readSummaryModel } from "./config/models.ts";
import { type MoneyLimits, readMoneyLimits } from "./config/money.ts";
import { readTraceTarget, type TraceTarget } from "./config/otlp.ts";
import { checkPasted } from "./config/pasted.ts";
import { readPrivateHosts } from "./config/private-hosts.ts";
import { publicKey } from "./config/public-key.ts";
import { VARIABLES } from "./config/variables.ts";
import { hasWorkersAi, workersAiModel } from "./config/workers-ai.ts";

export type { ModelConfig } from "./config/models.ts";

/** The program's version, for `/health` and the User-Agent. */
export const VERSION: string = version;

const DEFAULT_SYSTEM_PROMPT =
  "You are Parley, a helpful member of a Discord channel. Several people may talk to you. Answer the last message, briefly and plainly, in the language it is written in. Use Discord's Markdown: short paragraphs, lists, fenced code with its language; no LaTeX.";
const LONGEST_WINDOW_TURNS = 10;
const SHORTEST_KEY_CHARS = 32;
/** Short is enough, because each address has only ten tries a minute. */
const SHORTEST_INSPECT_TOKEN_CHARS = 8;
/** A minute less than a deploy waits for a running turn: `max_delay` in wrangler.toml. */
const LONGEST_TURN_MS = 3_600_000;

/** The configuration in the form that the program uses. Times are in milliseconds. */
export interface Config extends SplitModels {
  discord: {
    publicKey: string;
    applicationId: string;
    botToken: string | null;
    /** The bot's own user. */
    userId: string;
    apiBaseUrl: string;
    hasGateway: boolean;
  };
  /** The id of the model that summarizes conversations; null: the last one. */
  summaryModel: string | null;
  systemPrompt: string;
  maxIterations: number;
  maxConsecutiveToolErrors: number;
  streamTimeoutMs: number;
  firstTokenTimeoutMs: number;
  toolTimeoutMs: number;
  turnDeadlineMs: number;
  maxFollowUpInterrupts: number;
  maxQueueLength: number;
  maxQueuedPerUser: number;
  mcpServers: readonly McpServerConfig[];
  /** Who may add more remote servers to a Discord server. */
  mcpAdd: McpAdd;
  /** The key that encrypts the tokens of connected remote servers; null: none can be connected. */
  tokenKey: string | null;
  /** For how many turns a tool stays offered after its use in deliberate mode; the default of the channel's setting. */
  deliberateContextTurns: number;
  /** Each `host:port`. */
  fetchUrlPrivateHosts: ReadonlySet<string>;
  /** Null without a key; then there is no web search. */
  search: { apiKey: string; baseUrl: string } | null;
  access: AccessVariables;
  money: MoneyLimits;
  /** At least 8 characters. If null, the inspector is off, and `/health` shows nothing more to an owner. */
  inspectToken: string | null;
  /** If null, no traces are sent. */
  traces: TraceTarget | null;
  /** The address at which browsers reach this Worker, without a slash at its end; null: the same as Discord's. */
  publicUrl: string | null;
  /** The names of the optional variables that are set. */
  configured: readonly string[];
}

/**
 * The configuration, or all its problems; a problem names its variable and shows no value. `publicKey` is what the endpoint needs to answer
 * Discord in spite of them; null if it is missing or unusable itself.
 */
export type ParsedConfig = { ok: true; config: Config } | { ok: false; problems: string[]; publicKey: string | null };

type Name = (typeof VARIABLES)[number];

/** Parses the environment of the Worker or the object. Ignores other bindings; never throws. */
export function parseConfig(env: unknown): ParsedConfig {
  const given = Object(env) as Environment;
  const problems: string[] = [];
  // Checked without a schema, which would take time at every cold start.
  const notTexts = VARIABLES.filter((name) => !["string", "undefined"].includes(typeof given[name]));
  const reader = createReader(given, problems);
  const { value, address, whole, secret } = reader;
  const streamTimeoutMs = whole("STREAM_SDK_CALL_TIMEOUT_MS", 10_000, 120_000);
  const discord = readDiscord(reader, problems);
  checkPasted(value, problems);
  const { single, baseUrl } = readSingleModel(reader, env);
  const mcpServers = readMcpServers(value("MCP_SERVERS"), (name) => given[name], problems);
  const privateHosts = readPrivateHosts(value("FETCH_URL_PRIVATE_HOSTS"));
  if (!privateHosts) problems.push("FETCH_URL_PRIVATE_HOSTS is not a list of host:port");
  const searchKey = value("SEARCH_API_KEY");
  const searchUrl = address("SEARCH_API_BASE_URL", "https://api.search.brave.com/res/v1");
  const split = splitMediaModels(readModels(value("MODELS"), single, baseUrl, env, problems), value, env, problems);
  const config: Config = {
    discord,
    ...split,
    summaryModel: readSummaryModel(value("SUMMARY_MODEL"), split.models, problems),
    systemPrompt: value("SYSTEM_PROMPT") ?? DEFAULT_SYSTEM_PROMPT,
    maxIterations: whole("BOT_MAX_FUNCTION_CALL_ITERATIONS", 1, 100),
    maxConsecutiveToolErrors: whole("BOT_MAX_CONSECUTIVE_TOOL_ERRORS", 1, 5),
    streamTimeoutMs,
    firstTokenTimeoutMs: whole("STREAM_FIRST_TOKEN_TIMEOUT_MS", 10_000, Math.max(300_000, streamTimeoutMs)),
    toolTimeoutMs: whole("TOOL_EXECUTION_TIMEOUT_MS", 10_000, 300_000),
    turnDeadlineMs: whole("TURN_DEADLINE_MS", 60_000, LONGEST_TURN_MS, LONGEST_TURN_MS),
    maxFollowUpInterrupts: whole("MAX_FOLLOW_UP_INTERRUPTS", 0, 3),
    maxQueueLength: whole("MAX_QUEUE_LENGTH", 0, 10),
    maxQueuedPerUser: whole("MAX_QUEUED_PER_USER", 1, 3),
    mcpServers,
    mcpAdd: readMcpAdd(value("MCP_ADD"), problems),
    tokenKey: secret("TOKEN_ENCRYPTION_KEY", SHORTEST_KEY_CHARS),
    deliberateContextTurns: whole("DELIBERATE_TOOL_CONTEXT_TURNS", 0, 4, LONGEST_WINDOW_TURNS),
    fetchUrlPrivateHosts: privateHosts ?? new Set(),
    search: searchKey === null ? null : { apiKey: searchKey, baseUrl: searchUrl },
    access: readAccess(value, problems),
    money: readMoneyLimits(value, arePriced(split), problems),
    inspectToken: secret("INSPECT_TOKEN", SHORTEST_INSPECT_TOKEN_CHARS),
    traces: readTraceTarget(value("OTEL_EXPORTER_OTLP_ENDPOINT"), value("OTEL_EXPORTER_OTLP_HEADERS"), problems),
    publicUrl: value("PUBLIC_URL") && address("PUBLIC_URL", ""),
    configured: VARIABLES.slice(2).filter(value).sort(),
  };
  if (problems.length + notTexts.length === 0) return { ok: true, config };
  const isReachable = !problems.some((problem) => problem.startsWith("DISCORD_PUBLIC_KEY ")) && discord.applicationId;
  // If a variable isn't a string, every other problem may only follow from that.
  const named = notTexts.length > 0 ? notTexts.map((name) => `${name} is not a string`) : problems;
  return { ok: false, problems: named, publicKey: isReachable ? discord.publicKey : null };
}

type Environment = Readonly<Record<string, unknown>>;

type Reader = ReturnType<typeof createReader>;

/** Creates the functions that read variables of each kind. An invalid one becomes a problem, and another value of its type is returned. */
function createReader(given: Environment, problems: string[]) {
  // An empty variable counts as unset: an example file has empty lines.
  const value = (name: Name) => (typeof given[name] === "string" ? given[name].trim() : "") || null;
  return {
    value,
    required(name: Name) {
      const found = value(name);
      if (found === null) problems.push(`${name} is missing`);
      return found ?? "";
    },
    address(name: Name, fallback: string) {
      const found = value(name) ?? fallback;
      if (!isHttp(found)) problems.push(`${name} must be an http or https address without a password`);
      return found.replace(/\/+$/, "");
    },
    /** Reads a whole number. One outside the bounds becomes the nearer bound. */
    whole(name: Name, minimum: number, fallback: number, maximum = Number.POSITIVE_INFINITY) {
      const found = Number(value(name) ?? fallback);
      if (Number.isFinite(found)) return Math.min(maximum, Math.max(minimum, Math.floor(found)));
      problems.push(`${name} is not a number`);
      return minimum;
    },
    secret(name: Name, shortestChars: number) {
      const found = value(name);
      if (found !== null && found.length < shortestChars)
        problems.push(`${name} is shorter than ${shortestChars} characters`);
      return found;
    },
  };
}

function readDiscord({ value, required, address }: Reader, problems: string[]): Config["discord"] {
  const apiBaseUrl = address("DISCORD_API_BASE_URL", DISCORD);
  const botToken = value("DISCORD_BOT_TOKEN");
  const key = publicKey(required("DISCORD_PUBLIC_KEY"), apiBaseUrl, problems);
  const applicationId = required("DISCORD_APPLICATION_ID");
  return {
    publicKey: key,
    applicationId,
    botToken,
    userId: readBotUser(botToken) ?? applicationId,
    apiBaseUrl,
    hasGateway: readGatewaySwitch(value("DISCORD_GATEWAY"), botToken !== null, problems),
  };
}

/** Reads the model that answers if `MODELS` is unset, and the provider's address that entries of `MODELS` may leave out. */
function readSingleModel({ value, required, address }: Reader, env: unknown) {
  const isKeyless = value("OPENAI_API_KEY") === null && hasWorkersAi(env);
  const baseUrl = isKeyless && !value("MODELS") ? "" : address("OPENAI_BASE_URL", OPENAI.baseUrl);
  const single: ModelConfig = isKeyless
    ? workersAiModel(value("OPENAI_MODEL"))
    : {
        id: "default",
        ...namedModel(value("OPENAI_MODEL"), baseUrl),
        baseUrl,
        // Each entry of MODELS may have its own key.
        apiKey: (value("MODELS") ? value : required)("OPENAI_API_KEY") ?? "",
      };
  return { single, baseUrl };
}

/** Parses the environment of an object, which the Worker only reaches if the configuration is valid. Throws all problems if it isn't. */
export function requireConfig(env: unknown): Config {
  const parsed = parseConfig(env);
  if (!parsed.ok) throw new Error(`not configured: ${parsed.problems.join("; ")}`);
  return parsed.config;
}

/** Describes the program for the gateway's object: another deployment, token or switch makes it another program. */
export function readProgram({ discord }: Config, env: unknown): { version: string; configHash: string; on: boolean } {
  return {
    version: readDeployment(env, VERSION).id,
    configHash: hashParts(VERSION, discord.botToken ?? "", String(discord.hasGateway)),
    on: discord.hasGateway,
  };
}

/** Returns the part of the configuration that is shown to people. */
export const listOffered = ({ models, discord, mcpAdd, tokenKey }: Config) => ({
  // With a key, remote servers that people add can be connected, too.
  connectsServers: tokenKey !== null,
  mcpAdd,
  models: models.map(({ id, model, price, onlyServers }) => ({
    id,
    model,
    ...(price && { price }),
    ...(onlyServers && { onlyServers }),
  })),
  modelHosts: [
    ...new Set(models.map(({ provider, baseUrl }) => (provider ? "Cloudflare Workers AI" : new URL(baseUrl).host))),
  ],
  hasBotToken: discord.botToken !== null,
  botId: discord.userId,
});
