// The configuration: what is required, what is raised to a minimum, what is an error. No value is ever shown.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listSecrets } from "../src/config/secrets.ts";
import { parseConfig } from "../src/config.ts";
import { DEVELOPMENT_PUBLIC_KEY_HEX } from "../src/playground/key.ts";

const REQUIRED = { DISCORD_PUBLIC_KEY: "ab".repeat(32), DISCORD_APPLICATION_ID: "42", OPENAI_API_KEY: "sk-secret" };
const DEFAULT_NUMBERS = {
  maxIterations: 100,
  maxConsecutiveToolErrors: 5,
  streamTimeoutMs: 120_000,
  firstTokenTimeoutMs: 300_000,
  toolTimeoutMs: 300_000,
  turnDeadlineMs: 3_600_000,
  maxFollowUpInterrupts: 3,
  maxQueueLength: 10,
  maxQueuedPerUser: 3,
  deliberateContextTurns: 4,
};

const configOf = (variables: Record<string, unknown> = {}) => {
  const parsed = parseConfig({ ...REQUIRED, ...variables });
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.config;
};
const problemsOf = (variables: unknown) => {
  const parsed = parseConfig(variables);
  return parsed.ok ? [] : parsed.problems;
};

describe("a configuration", () => {
  it("with only the required variables has every default", () => {
    expect(configOf()).toEqual({
      discord: {
        publicKey: REQUIRED.DISCORD_PUBLIC_KEY,
        applicationId: "42",
        botToken: null,
        userId: "42",
        apiBaseUrl: "https://discord.com/api/v10",
        hasGateway: false,
      },
      models: [
        {
          id: "default",
          apiKey: "sk-secret",
          baseUrl: "https://api.openai.com/v1",
          model: "gpt-5-mini",
          price: { input: 0.25, cachedInput: 0.025, output: 2 },
          successor: { model: "gpt-5.4-mini", price: { input: 0.75, cachedInput: 0.075, output: 4.5 } },
        },
      ],
      transcribeModel: null,
      imageModel: null,
      summaryModel: null,
      systemPrompt: expect.stringContaining("Parley"),
      mcpServers: [],
      mcpAdd: "owner",
      tokenKey: null,
      fetchUrlPrivateHosts: new Set(),
      search: null,
      publicUrl: null,
      money: { microUsdPerDay: 5_000_000, microUsdPerMonth: 0 },
      access: { ownerIds: null, servers: null, allowedServers: [], visitors: null, allowedUsers: [] },
      inspectToken: null,
      traces: null,
      configured: ["OPENAI_API_KEY"],
      ...DEFAULT_NUMBERS,
    });
  });

  it("takes what is set, without surrounding blanks and without slashes at the end of an address", () => {
    const config = configOf({
      DISCORD_PUBLIC_KEY: ` ${REQUIRED.DISCORD_PUBLIC_KEY.toUpperCase()}\n`,
      DISCORD_BOT_TOKEN: " bot ",
      DISCORD_API_BASE_URL: "http://127.0.0.1:8787/api/v10//",
      OPENAI_BASE_URL: " http://localhost:1/v1/ ",
      OPENAI_MODEL: "m",
      SYSTEM_PROMPT: "Be brief.",
    });
    expect(config).toMatchObject({
      discord: { publicKey: REQUIRED.DISCORD_PUBLIC_KEY, botToken: "bot", apiBaseUrl: "http://127.0.0.1:8787/api/v10" },
      models: [{ baseUrl: "http://localhost:1/v1", model: "m" }],
      systemPrompt: "Be brief.",
    });
  });

  it.each([
    [
      "its token begins with, if that is not the application's",
      `${btoa("190000000000000003")}.x.y`,
      "190000000000000003",
    ],
    ["the application has, if the token names none", "bm90IGFuIGlk.x.y", "42"],
    ["the application has, if the token can't be read", "b%t.x.y", "42"],
  ])("takes as the id of the bot's user the one that %s", (_, token, userId) => {
    expect(configOf({ DISCORD_BOT_TOKEN: token }).discord).toMatchObject({ applicationId: "42", userId });
  });

  it("treats a blank variable as unset", () => {
    const blank = {
      OPENAI_MODEL: "",
      SYSTEM_PROMPT: "  ",
      DISCORD_BOT_TOKEN: "",
      OPENAI_BASE_URL: " ",
      TURN_DEADLINE_MS: "",
    };
    expect(configOf(blank)).toEqual(configOf());
  });

  it("ignores other bindings of the environment", () => {
    expect(configOf({ CHANNEL: {}, ASSETS: { fetch() {} } })).toEqual(configOf());
  });
});

describe("a number", () => {
  it.each([
    ["BOT_MAX_FUNCTION_CALL_ITERATIONS", "maxIterations", 1],
    ["BOT_MAX_CONSECUTIVE_TOOL_ERRORS", "maxConsecutiveToolErrors", 1],
    ["STREAM_SDK_CALL_TIMEOUT_MS", "streamTimeoutMs", 10_000],
    ["STREAM_FIRST_TOKEN_TIMEOUT_MS", "firstTokenTimeoutMs", 10_000],
    ["TOOL_EXECUTION_TIMEOUT_MS", "toolTimeoutMs", 10_000],
    ["TURN_DEADLINE_MS", "turnDeadlineMs", 60_000],
    ["MAX_FOLLOW_UP_INTERRUPTS", "maxFollowUpInterrupts", 0],
    ["MAX_QUEUE_LENGTH", "maxQueueLength", 0],
    ["MAX_QUEUED_PER_USER", "maxQueuedPerUser", 1],
  ] as const)("%s is used as given, raised to its minimum, and an error if not a number", (name, field, minimum) => {
    expect(configOf({ [name]: "70000.9" })[field]).toBe(70_000);
    for (const low of ["-1", "-0", String(minimum), String(minimum - 0.5)])
      expect(configOf({ [name]: low })[field]).toBe(minimum);
    for (const bad of ["many", "12 apples", "1,000", "NaN", "Infinity", "-Infinity"])
      expect(problemsOf({ ...REQUIRED, [name]: bad })).toEqual([`${name} is not a number`]);
  });

  it("for the deliberate mode window is brought within both of its bounds", () => {
    const turns = (text: string) => configOf({ DELIBERATE_TOOL_CONTEXT_TURNS: text }).deliberateContextTurns;
    expect(["0", "10", "-3", "99", "2.7", ""].map(turns)).toEqual([0, 10, 0, 10, 2, 4]);
  });

  it("for a turn's deadline is lowered to what a deploy waits for, minus a minute for the last edit", () => {
    const wrangler = readFileSync(new URL("../wrangler.toml", import.meta.url), "utf8");
    const waitSeconds = Number(/^max_delay = (\d+)$/m.exec(wrangler)?.[1]);
    const deadline = (text: string) => configOf({ TURN_DEADLINE_MS: text }).turnDeadlineMs;
    expect(["3600000", "3600001", "9e99", "3599999"].map(deadline)).toEqual([
      ...Array(3).fill((waitSeconds - 60) * 1000),
      3_599_999,
    ]);
  });

  it("for the first-token timeout follows the idle timeout if that is longer than its own default", () => {
    expect(configOf({ STREAM_SDK_CALL_TIMEOUT_MS: "400000" }).firstTokenTimeoutMs).toBe(400_000);
    expect(configOf({ STREAM_SDK_CALL_TIMEOUT_MS: "20000" }).firstTokenTimeoutMs).toBe(300_000);
    const both = { STREAM_SDK_CALL_TIMEOUT_MS: "400000", STREAM_FIRST_TOKEN_TIMEOUT_MS: "15000" };
    expect(configOf(both).firstTokenTimeoutMs).toBe(15_000);
  });
});

describe("a bad configuration", () => {
  it("names everything that is missing at once", () => {
    expect(problemsOf({})).toEqual([
      "DISCORD_PUBLIC_KEY is missing",
      "DISCORD_APPLICATION_ID is missing",
      "OPENAI_API_KEY is missing",
    ]);
  });

  it("names every bad variable and shows no value", () => {
    const bad = {
      DISCORD_PUBLIC_KEY: "hunter2",
      DISCORD_APPLICATION_ID: "hunter2".repeat(3),
      DISCORD_API_BASE_URL: "ftp://hunter2",
      OPENAI_API_KEY: "hunter2",
      OPENAI_BASE_URL: "hunter2",
      MAX_QUEUE_LENGTH: "hunter2",
      PUBLIC_URL: "hunter2.example",
    };
    const problems = problemsOf(bad);
    expect(problems).toEqual([
      "DISCORD_API_BASE_URL must be an http or https address without a password",
      "DISCORD_PUBLIC_KEY is not 64 hexadecimal digits",
      "DISCORD_APPLICATION_ID is not a Discord id",
      "OPENAI_BASE_URL must be an http or https address without a password",
      "MAX_QUEUE_LENGTH is not a number",
      "PUBLIC_URL must be an http or https address without a password",
    ]);
    expect(JSON.stringify(problems)).not.toContain("hunter2");
  });

  it("names a key with a character that no header can have", () => {
    const MODELS = JSON.stringify(["A_KEY", "B_KEY"].map((apiKeyVar) => ({ id: apiKeyVar, model: "m", apiKeyVar })));
    const others = { MODELS, A_KEY: "sk-a\u2013b", B_KEY: "sk-ab\n" };
    expect(problemsOf({ ...REQUIRED, ...others })).toEqual(["A_KEY has a character that no key has"]);
    const keys = { OPENAI_API_KEY: "sk-ab\u2026yz", DISCORD_BOT_TOKEN: "a.b\n.c" };
    expect(problemsOf({ ...REQUIRED, ...keys })).toEqual([
      "DISCORD_BOT_TOKEN has a character that no key has",
      "OPENAI_API_KEY has a character that no key has",
    ]);
  });

  it("names a variable that is not text", () => {
    expect(problemsOf({ ...REQUIRED, MAX_QUEUE_LENGTH: 5, OPENAI_API_KEY: { a: "hunter2" } })).toEqual([
      "OPENAI_API_KEY is not a string",
      "MAX_QUEUE_LENGTH is not a string",
    ]);
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "//example.org", "example.org"])(
    "rejects an address such as %s",
    (address) => {
      expect(problemsOf({ ...REQUIRED, OPENAI_BASE_URL: address })).toEqual([
        "OPENAI_BASE_URL must be an http or https address without a password",
      ]);
    },
  );

  it.each(["ab".repeat(31), "ab".repeat(33), "xy".repeat(32), `0x${"ab".repeat(31)}`])(
    "rejects a key such as %s",
    (key) => {
      expect(problemsOf({ ...REQUIRED, DISCORD_PUBLIC_KEY: key })).toEqual([
        "DISCORD_PUBLIC_KEY is not 64 hexadecimal digits",
      ]);
    },
  );
});

describe("the published development key", () => {
  const withKey = (address: string | undefined, key = DEVELOPMENT_PUBLIC_KEY_HEX) =>
    problemsOf({ ...REQUIRED, DISCORD_PUBLIC_KEY: key, DISCORD_API_BASE_URL: address });

  it.each([
    "http://localhost:8787/api/v10",
    "http://LOCALHOST/api/v10",
    "http://127.0.0.1:8787/api/v10",
    "http://127.255.255.254/",
    "http://127.1/",
    "http://2130706433/",
    "http://[::1]:8787/api/v10",
    "https://[0:0:0:0:0:0:0:1]/",
  ])("is accepted while Discord is at %s", (address) => {
    expect(withKey(address)).toEqual([]);
  });

  it.each([
    undefined,
    "https://discord.com/api/v10",
    "http://0.0.0.0/",
    "http://127.0.0.1.example.org/",
    "http://localhost.example.org/",
    "http://127.0.0.1@example.org/",
    "http://example.org/?127.0.0.1",
    "http://example.org/#localhost",
    "http://[::ffff:10.0.0.1]/",
    "http://10.0.0.1/",
    "http://128.0.0.1/",
  ])("is refused while Discord is at %s", (address) => {
    expect(withKey(address)).toContainEqual(
      expect.stringMatching(/^DISCORD_PUBLIC_KEY is the published development key/),
    );
  });

  it("is recognized in capitals too", () => {
    expect(withKey(undefined, DEVELOPMENT_PUBLIC_KEY_HEX.toUpperCase())).toHaveLength(1);
  });
});

describe("the list of models", () => {
  const list = (...models: object[]) => ({ MODELS: JSON.stringify(models) });

  it("replaces the single model, which supplies what an entry leaves out", () => {
    const config = configOf({
      ...list(
        { id: "big", model: "gpt-5", contextTokens: 400_000, price: { input: 1, output: 9 } },
        { id: "local", model: "l", baseUrl: "http://[::1]:1/v1/", apiKeyVar: "LOCAL_KEY", family: "novelai" },
      ),
      LOCAL_KEY: "local key",
    });
    expect(config.models).toEqual([
      {
        id: "big",
        model: "gpt-5",
        baseUrl: "https://api.openai.com/v1",
        apiKey: "sk-secret",
        contextTokens: 400_000,
        price: { input: 1, output: 9 },
      },
      { id: "local", model: "l", baseUrl: "http://[::1]:1/v1", apiKey: "local key", family: "novelai" },
    ]);
  });

  it("can reserve a model for some servers", () => {
    const { models } = configOf(list({ id: "a", model: "b" }, { id: "c", model: "d", onlyServers: ["77"] }));
    expect(models.map(({ onlyServers }) => onlyServers)).toEqual([undefined, ["77"]]);
  });

  it.each([
    ["not JSON", { MODELS: "gpt-5" }, "MODELS is not a list of models: it must be a JSON list that is not empty"],
    ["an empty list", { MODELS: "[]" }, "MODELS is not a list of models: it must be a JSON list that is not empty"],
    [
      "an entry without its model",
      list({ id: "a" }),
      "MODELS is not a list of models: model of entry 1 is missing or wrong",
    ],
    [
      "a bad address",
      list({ id: "a", model: "b", baseUrl: "ftp://x" }),
      "MODELS.0.baseUrl must be an http or https address without a password",
    ],
    ["a key that is not set", list({ id: "a", model: "b", apiKeyVar: "OTHER_KEY" }), "OTHER_KEY is missing"],
    [
      "a negative price",
      list({ id: "a", model: "b", price: { input: -1, output: 1 } }),
      "MODELS is not a list of models: price.input of entry 1 is missing or wrong",
    ],
    [
      "half a price",
      list({ id: "a", model: "b", price: { input: 1 } }),
      "MODELS is not a list of models: price.output of entry 1 is missing or wrong",
    ],
    [
      "a server that is not an id",
      list({ id: "a", model: "b" }, { id: "c", model: "d", onlyServers: ["mine"] }),
      "MODELS is not a list of models: onlyServers.0 of entry 2 is missing or wrong",
    ],
    [
      "none that is for everyone",
      list({ id: "a", model: "b", onlyServers: ["77"] }),
      "MODELS has no model without onlyServers, so most places have none",
    ],
    [
      "an unknown tool mode",
      list({ id: "a", model: "b", toolMode: "telepathy" }),
      "MODELS is not a list of models: toolMode of entry 1 is missing or wrong",
    ],
  ])("is refused with the position of the fault: %s", (_what, variables, problem) => {
    expect(problemsOf({ ...REQUIRED, ...variables })).toEqual([problem]);
  });
});

describe("the limits of money", () => {
  it.each(["$", "$ ", "five", "5 €", "1,000", "-1", "NaN", "Infinity", "1000001"])(
    "are refused if one is %j",
    (text) => {
      for (const name of ["MAX_USD_PER_DAY", "MAX_USD_PER_MONTH"])
        expect(problemsOf({ ...REQUIRED, [name]: text })).toEqual([`${name} is not an amount of US dollars`]);
    },
  );

  it("are in dollars, with or without the sign; 0 means no limit", () => {
    const money = (day: string) => configOf({ MAX_USD_PER_DAY: day }).money.microUsdPerDay;
    expect(["0", "2.5", "$2.5", "$ 2.5", " 0.000001 "].map(money)).toEqual([0, 2_500_000, 2_500_000, 2_500_000, 1]);
    expect(money("1e-7"), "less than is counted").toBe(1);
  });
});

describe("the private hosts", () => {
  const hostsOf = (text: string) => [...configOf({ FETCH_URL_PRIVATE_HOSTS: text }).fetchUrlPrivateHosts];

  it("are normalized as addresses are, each with its port", () => {
    expect(hostsOf("127.0.0.1:8788, LocalHost:080,0x7f.1:1 ,,[0:0::1]:3000")).toEqual([
      "127.0.0.1:8788",
      "localhost:80",
      "127.0.0.1:1",
      "[::1]:3000",
    ]);
  });

  it.each([
    "localhost",
    "http://localhost:1",
    "localhost:port",
    "localhost:65536",
    "a b:1",
    "user@localhost:1",
    ":80",
    "localhost:1/path",
  ])("are refused with an entry such as %s", (entry) => {
    expect(problemsOf({ ...REQUIRED, FETCH_URL_PRIVATE_HOSTS: `127.0.0.1:1,${entry}` })).toEqual([
      "FETCH_URL_PRIVATE_HOSTS is not a list of host:port",
    ]);
  });
});

describe("web search", () => {
  it("is available if it has a key, at its default provider unless another is set", () => {
    expect(configOf({ SEARCH_API_KEY: "k" }).search).toEqual({
      apiKey: "k",
      baseUrl: "https://api.search.brave.com/res/v1",
    });
    expect(configOf({ SEARCH_API_KEY: "k", SEARCH_API_BASE_URL: "http://localhost:1/" }).search).toEqual({
      apiKey: "k",
      baseUrl: "http://localhost:1",
    });
    expect(configOf({ SEARCH_API_BASE_URL: "http://localhost:1/" }).search).toBeNull();
  });

  it("removes its key from every tool's result", () => {
    expect(listSecrets(configOf({ SEARCH_API_KEY: "search-key" }))).toEqual(["search-key", "sk-secret"]);
  });
});
