// What `npm start` with a bot's token decides and prints, from what it knows.
import { describe, expect, it } from "vitest";
import { healthWarnings } from "../../src/core/copy/health.ts";
import { laptopLines } from "../../src/core/copy/laptop.ts";
import type { Application } from "../../src/discord/rest/application.ts";
import { coverSecrets, readLogLine } from "../../src/laptop/log-lines.ts";
import {
  checkApplication,
  checkCommands,
  checkNames,
  checkShell,
  isNews,
  laptopToken,
  planInteractions,
} from "../../src/laptop/plan.ts";
import { accessHere, laptopVars, modelName, ownersHere, secretsIn } from "../../src/laptop/variables.ts";
import { writtenVariables } from "../../src/scripts/dev-vars.ts";
import { laptopFacts } from "../core/copy/laptop-samples.ts";
import { codeSpans, readText, tableIn } from "../support/pages.ts";

const BASE = "https://discord.com/api/v10";
const LOCAL = "http://127.0.0.1:1/api/v10";
const refused = (part: string) => ({ ok: false, fault: expect.stringContaining(part) });
const application: Application = {
  id: "42",
  name: "Parley",
  publicKey: "ab".repeat(32),
  owners: [
    { id: "7", name: "Juno" },
    { id: "8", name: "Mira" },
  ],
  endpointUrl: null,
  isPublic: true,
  requiresCodeGrant: false,
  flags: 0,
};

describe("a shell", () => {
  it.each([
    [{}, null],
    [{ DISCORD_BOT_TOKEN: " " }, null],
    [{ DISCORD_BOT_TOKEN: "local.bot.token" }, null],
    [{ DISCORD_BOT_TOKEN: "local.bot.token", DISCORD_API_BASE_URL: LOCAL }, "local.bot.token"],
    [{ DISCORD_BOT_TOKEN: " a.b.c\n" }, "a.b.c"],
    [{ DISCORD_BOT_TOKEN: '"Bot a.b.c"' }, "a.b.c"],
  ])("%j wants the real Discord with the token %j", (shell, token) => {
    expect(laptopToken(shell, "local.bot.token")).toBe(token);
  });

  it.each([
    [{}, "a.b.c", { ok: true, value: { baseUrl: BASE } }],
    [{ DISCORD_API_BASE_URL: `${LOCAL}/` }, "a.b.c", { ok: true, value: { baseUrl: LOCAL } }],
    [{ DISCORD_API_BASE_URL: "discord.com" }, "a.b.c", refused("DISCORD_API_BASE_URL")],
    [{}, "1180000000000000002", refused("the application's id, not its token")],
    [{}, "a.b c", refused("Reset Token")],
    [{}, "a.b.c…", refused("Reset Token")],
  ])("%j with the token %j is checked before Discord is asked", (shell, token, checked) => {
    expect(checkShell(shell, token)).toEqual(checked);
  });
});

describe("what Discord says", () => {
  it.each([
    [{ ok: false, status: 401, error: "" }, "doesn't accept DISCORD_BOT_TOKEN"],
    [{ ok: false, status: null, error: "ENOTFOUND" }, "discord.com (ENOTFOUND)"],
    [{ ok: false, status: 503, error: "" }, "answered 503"],
    [{ ok: false, status: 403, error: "<html>" }, "refuses this machine for a while. Wait an hour"],
  ] as const)("about the token, %j, becomes a sentence", (answer, part) => {
    expect(checkApplication(answer, BASE)).toEqual(refused(part));
  });

  it("about the commands becomes a sentence too", () => {
    expect(checkNames({ ok: true, names: ["play"] }, BASE)).toEqual({ ok: true, value: ["play"] });
    expect(checkNames({ ok: false, status: 500, error: "" }, BASE)).toEqual(refused("answered 500"));
    expect(checkNames({ ok: false, status: null, error: "reset" }, BASE)).toEqual(refused("discord.com (reset)"));
    expect(checkCommands({ ok: true }, BASE).ok).toBe(true);
    expect(checkCommands({ ok: false, status: 400, error: "bad form" }, BASE)).toEqual(refused("400: bad form"));
    expect(checkCommands({ ok: false, status: null, error: "reset" }, BASE)).toEqual(refused("can't be reached"));
  });
});

describe("interactions", () => {
  const withUrl = { ...application, endpointUrl: "https://parley.example/interactions" };

  it("come here while the application has no endpoint URL", () => {
    expect(planInteractions(application, [], false)).toEqual({ host: null, asks: null });
  });

  it("make the start ask in a terminal, or refuse without one, if they go elsewhere", () => {
    const sentence = expect.stringContaining("to parley.example, and not to this computer");
    const question = expect.stringContaining("without slash commands");
    const stopped = expect.stringContaining("Remove the URL");
    const host = "parley.example";
    expect(planInteractions(withUrl, [], true)).toEqual({ host, asks: { kind: "ask", sentence, question, stopped } });
    const sentences = [sentence, expect.stringContaining("no terminal")];
    expect(planInteractions(withUrl, [], false)).toEqual({ host, asks: { kind: "refuse", sentences } });
  });

  it("make the start ask or refuse if it would replace the commands of another program", () => {
    const sentence = expect.stringContaining("commands for Parley: play.");
    const [question, stopped] = [expect.stringContaining("remove them"), expect.stringContaining("not started")];
    const asks = { kind: "ask", sentence, question, stopped };
    expect(planInteractions(application, ["play"], true)).toEqual({ host: null, asks });
    const sentences = [sentence, expect.stringContaining("no terminal")];
    expect(planInteractions(application, ["play"], false)).toEqual({ host: null, asks: { kind: "refuse", sentences } });
  });
});

describe("the product's variables", () => {
  const given = { application, token: "a.b.c", localUrl: "http://127.0.0.1:9" };
  const own = {
    DISCORD_APPLICATION_ID: "42",
    DISCORD_PUBLIC_KEY: application.publicKey,
    DISCORD_BOT_TOKEN: "a.b.c",
    DISCORD_GATEWAY: "on",
  };

  it("say whose bot it is, as the terminal does", () => {
    expect(ownersHere({}, application)).toEqual(["Juno (7)", "Mira (8)"]);
    expect(ownersHere({ OWNER_IDS: " 9 " }, application)).toEqual(["9"]);
  });

  it("come from the token, with the local model if there is no key and only owners let in", () => {
    expect(laptopVars({ PATH: "/bin", OPENAI_MODEL: "x" }, given)).toEqual({
      ...own,
      OWNER_IDS: "7,8",
      SERVERS: "claimed",
      VISITORS: "owners",
      OPENAI_API_KEY: "local",
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_MODEL: "parley-local",
    });
    expect(modelName({})).toBeNull();
  });

  it("come from the shell if it sets them, with the secrets that their values name", () => {
    const shell = {
      OPENAI_API_KEY: "sk-1",
      OWNER_IDS: "9",
      SERVERS: "Open",
      MODELS: '[{"id":"a","model":"m","apiKeyVar":"A_SECRET"}]',
      MCP_SERVERS: '[{"id":"s","url":"https://s.example","headersVar":"HEADERS","clientSecretVar":"CLIENT"}]',
      A_SECRET: "of-a-model",
      HEADERS: '{"authorization":"of-a-server"}',
      CLIENT: "of-a-client",
      SUMMARY_MODEL: "a",
      MCP_ADD: "managers",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=of-a-collector",
    };
    const others = { DISCORD_GATEWAY: "off", DISCORD_PUBLIC_KEY: "another", DISCORD_BOT_TOKEN: "a.b.c" };
    const variables = laptopVars({ ...shell, ...others }, given);
    expect(variables).toEqual({ ...shell, ...own, SERVERS: "open", VISITORS: "owners" });
    const named = ["of-a-model", '{"authorization":"of-a-server"}', "of-a-client"];
    const secrets = ["a.b.c", "sk-1", "x-api-key=of-a-collector", ...named];
    expect(secretsIn({ ...shell, ...others }, "a.b.c")).toEqual(secrets);
    expect(accessHere(shell)).toEqual({ servers: "open", visitors: "owners", listsUsers: false });
  });

  it("are all those of the shell that need no public address and that the token does not determine", () => {
    const rows = tableIn(readText("src/config/README.md"));
    const names = rows.flatMap(([name = ""]) => codeSpans(name)).filter((name) => /^[A-Z_]+$/.test(name));
    const taken = Object.keys(laptopVars(Object.fromEntries(names.map((name) => [name, "[]"])), given));
    const left = ["AI", "TOKEN_ENCRYPTION_KEY", "PUBLIC_URL", "INSPECT_TOKEN"];
    expect(names.filter((name) => !taken.includes(name))).toEqual(left);
    expect(secretsIn({ OTEL_EXPORTER_OTLP_HEADERS: "key=of-a-collector" }, "a.b.c")).toContain("key=of-a-collector");
  });

  it.each([
    ["plain", "V='plain'\n"],
    ["it's", "V=`it's`\n"],
    ["it's `code`", 'V="it\'s `code`"\n'],
    ["it's `code`\\n", null],
    ['it\'s "so" with `code` # and more\nin two lines', null],
  ])("reach wrangler unchanged: %j", (value, line) => {
    const written = { devVars: line ?? "", vars: line === null ? { V: value } : {} };
    expect(writtenVariables({ V: value })).toEqual(written);
  });

  it("name the model that answers", () => {
    expect(modelName({ OPENAI_API_KEY: "k" })).toBe("gpt-5-mini");
    expect(modelName({ OPENAI_API_KEY: "k", OPENAI_MODEL: "m" })).toBe("m");
    // Ollama and the like, which need no key.
    const own = { OPENAI_BASE_URL: "http://127.0.0.1:11434/v1", OPENAI_MODEL: "m" };
    expect([modelName(own), laptopVars(own, given)]).toEqual([
      "m",
      expect.objectContaining({ ...own, OPENAI_API_KEY: "none" }),
    ]);
  });
});

describe("the lines after the start", () => {
  const text = (more: object) => laptopLines({ ...laptopFacts, ...more }).join("\n");

  it("name the invite link, the owner, who is let in, the model, the commands and the page", () => {
    expect(laptopLines(laptopFacts)).toEqual([
      "Parley runs on this computer and answers on Discord. Ctrl-C ends it.",
      `  Invite it:       ${laptopFacts.inviteUrl}`,
      "  Owner:           Juno (1180000000000000023)",
      expect.stringMatching(/^ {2}Servers: {9}only those in which an owner has used it once/),
      expect.stringMatching(/^ {2}Direct messages: only owners/),
      expect.stringMatching(/^ {2}Model: {11}the local one, a set of rules: say help to it\. For a real one:/),
      "  Commands:        14 registered",
      "  Live log:        http://127.0.0.1:8787",
      expect.stringContaining("both would answer every mention"),
    ]);
  });

  it("warn of ALLOWED_USERS if it has no effect", () => {
    const isWarned = (shell: Record<string, string>) => text(accessHere(shell)).includes(healthWarnings.unusedUsers);
    const given = [{ ALLOWED_USERS: "7" }, { ALLOWED_USERS: "7", VISITORS: " Listed " }, { ALLOWED_USERS: " " }];
    expect(given.map(isWarned)).toEqual([true, false, false]);
  });

  it("also warn of a deployed bot that has the token", () => {
    expect(text({ endpointHost: "parley.example" })).toMatch(/go to parley\.example, not here[\s\S]+answered twice/);
  });

  it("say that the bot reads only what is said to it, and where to change that", () => {
    expect(text({ readsContent: true })).not.toContain("Message Content");
    expect(text({ readsContent: false })).toMatch(/Message Content is off: .+ Bot → Privileged Gateway Intents/);
  });

  it("say what keeps others from inviting it", () => {
    expect(text({})).not.toMatch(/Code Grant|Public Bot/);
    expect(text({ requiresCodeGrant: true, isPrivate: true })).toMatch(/Code Grant[\s\S]+Public Bot is off/);
  });
});

describe("a state of the connection", () => {
  it.each([
    ["resuming", { last: null, wasConnected: false, forMs: 100 }, false],
    ["waiting", { last: null, wasConnected: false, forMs: 20_000 }, true],
    ["connected", { last: null, wasConnected: false, forMs: 100 }, true],
    ["connected", { last: "connected", wasConnected: true, forMs: 100 }, false],
    ["resuming", { last: "connected", wasConnected: true, forMs: 100 }, true],
  ] as const)("%s after %j is worth a line: %j", (status, before, expected) => {
    expect(isNews(status, before)).toBe(expected);
  });
});

describe("a line of the runtime's output", () => {
  const read = (entry: object, mark = "") =>
    readLogLine(mark + JSON.stringify({ level: "info", channel: "10", ...entry }));
  const released = { line: "turn released the lock", turnId: "1", state: "closing" };

  it.each([
    [{ status: "completed", ending: "completed", ms: 640 }, "answered after 0.6 s, in channel 10"],
    [{ status: "error", ending: "model_failed", ms: 61_000 }, "failed (model failed) after 61 s, in channel 10"],
    [
      { status: "timeout", ending: "iteration_limit", ms: 2000 },
      "hit a limit (iteration limit) after 2.0 s, in channel 10",
    ],
    [{ state: "parked", status: null }, "needs approval, in channel 10"],
  ])("about the turn %j says how it ended", (entry, text) => {
    expect(read({ ...released, ...entry })).toEqual({ level: "turn", text });
  });

  it("of level error or warn is a problem, whatever the runtime writes before it", () => {
    const lost = { level: "error", line: "Discord gave no answer", method: "GET" };
    const text = "Discord gave no answer (channel 10)";
    expect(read(lost, "✘ [ERROR] ")).toEqual({ level: "problem", text });
    // As wrangler writes it, even where nothing shows colors.
    const colored = `\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1m${JSON.stringify({ channel: "10", ...lost })}\u001b[0m`;
    expect(readLogLine(colored)).toEqual({ level: "problem", text });
    expect(read({ level: "warn", line: "slow", channel: "gateway" })?.text).toBe("slow (gateway)");
    const failed = (reason: string) => read({ level: "error", line: "model call failed", reason })?.text;
    expect(failed("no_credit")).toBe("model call failed: no credit (channel 10)");
    // It may quote a person.
    expect(failed("No answer to: hello")).toBe("model call failed (channel 10)");
  });

  it("says what went wrong only in the owner's and in the code's words", () => {
    const text = (entry: object) => read({ level: "error", ...entry })?.text;
    const reason = "wiki could not be reached: Network connection lost.; whether it did anything is unknown";
    const silent = { line: "a remote server gave no tools", server: "wiki", reason };
    expect(text(silent)).toBe("a remote server gave no tools: wiki (channel 10)");
    const model = { line: "model call failed", model: "@cf/meta/llama-3.1-8b", reason: "unreachable" };
    expect(text(model)).toBe("model call failed: @cf/meta/llama-3.1-8b, unreachable (channel 10)");
    const alert = { line: "the owners need to act", channel: "deployment", kind: "day_spent" };
    expect(text(alert)).toBe("the owners need to act: day spent (deployment)");
    expect(text({ line: "model call failed", model: "what a person said" })).toBe("model call failed (channel 10)");
  });

  it("shows no secret, but keeps its words if a server without keys is given a short one", () => {
    const output = JSON.stringify({ level: "error", line: "refused: sk-of-a-model", channel: "10" });
    expect(coverSecrets(output, ["sk-of-a-model", "1", "none"])).toBe(output.replace("sk-of-a-model", "…"));
  });

  it.each([
    "",
    "[wrangler:info] Ready on http://127.0.0.1:1",
    '{"a":',
    "null",
    JSON.stringify({ level: "info", line: "a tool ran" }),
    JSON.stringify({ level: "error", line: "a turn failed", channel: "10" }),
  ])("%j is only for --verbose", (output) => {
    expect(readLogLine(output)).toBeNull();
  });
});
