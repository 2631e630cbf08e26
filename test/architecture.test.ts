// The rooms of the repository: who may import whom, what must not be named where, how long a file may be. Change the table on
// purpose. A room is a folder or a file; a folder or file with a row of its own does not belong to the folder around it.
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { findImportCircles, listSources, readImports, readSource, withoutComments } from "./support/source-tree.ts";

const AMBIENT = /\b(Date\.now|new Date\(\)|Math\.random|crypto\.|(?<!\.)fetch\(|setTimeout|setInterval|console\.)/;
const IMPURE = new RegExp(`${AMBIENT.source}|\\bawait\\b|\\bclass\\b`);

interface Room {
  room: string;
  /** Folders, files or packages; the room itself is always allowed. */
  imports: string[];
  /** What must not be named outside comments. */
  banned?: RegExp;
}

/** A folder whose rooms share a prefix and a ban. */
const within = (folder: string, banned: RegExp | null, rows: Record<string, string[]>): Room[] =>
  Object.entries(rows).map(([name, imports]) => ({
    room: `${folder}/${name}`,
    imports: imports.map((to) => (to.startsWith("./") ? `${folder}/${to.slice(2)}` : to)),
    ...(banned && { banned }),
  }));

const rooms: Room[] = [
  // Pure decisions: no clock, no randomness, no I/O, no class, no await.
  ...within("src/core", IMPURE, {
    "limits.ts": [],
    money: [],
    time: [],
    deliberate: [],
    markdown: ["./limits", "get-east-asian-width"],
    taint: ["./transcript/template-tokens"],
    transcript: ["./limits", "./taint"],
    access: ["./money"],
    state: ["./access", "./limits", "./deliberate", "./money", "./taint", "./time", "./transcript/asides"],
    copy: ["./access", "./state", "./deliberate", "./markdown", "./money", "./limits", "./taint"],
  }),
  { room: "src/channel", imports: ["src/core", "zod/mini"], banned: AMBIENT },
  ...within("src/toolkit", AMBIENT, {
    "read-json.ts": [],
    "tool-result.ts": [],
    define: [
      "./read-json",
      "./tool-result",
      "src/core/copy/tool-needs",
      "src/core/deliberate",
      "src/core/state",
      "src/core/taint",
      "zod/v4/core",
      "zod/v4/locales/en.js",
      "@cfworker/json-schema",
    ],
    intake: ["./define", "./read-json", "./tool-result", "jsonrepair"],
    run: [
      "./define",
      "./intake",
      "./read-json",
      "./tool-result",
      "src/core/copy/notices",
      "src/core/state",
      "src/core/taint",
      "src/core/transcript",
    ],
    "text-calls": ["./define", "./intake", "./read-json", "src/core/taint", "src/core/transcript"],
  }),
  { room: "src/turn", imports: ["src/core", "src/toolkit"], banned: AMBIENT },
  {
    room: "src/tools",
    imports: ["src/core", "src/toolkit/define/tool", "src/toolkit/run/http-answer", "zod/mini"],
    banned: AMBIENT,
  },
  {
    room: "src/mcp",
    imports: ["src/core/transcript", "src/toolkit", "zod/mini"],
    banned: AMBIENT,
  },
  { room: "src/gateway", imports: ["src/core/state"], banned: IMPURE },
  { room: "src/model", imports: ["src/core", "src/turn/ports"] },
  ...within("src/discord", null, {
    "components.ts": ["src/core/copy"],
    "invite-link.ts": [],
    "message-link.ts": [],
    "message-asides.ts": ["src/core/transcript/asides", "zod/mini"],
    commands: ["src/core", "src/channel", "discord-api-types"],
    interactions: ["./commands", "./components", "./message-asides", "src/core", "zod/mini"],
    gateway: ["./interactions", "./message-asides", "src/core/transcript/asides", "src/gateway", "zod/mini"],
    "answer-by-callback.ts": [
      "./answers",
      "./interactions",
      "./rest",
      "src/gateway/snowflake",
      "src/turn/ports",
      "zod/mini",
    ],
    answers: ["./commands", "./components", "./interactions", "src/core", "src/channel"],
    rest: ["./message-asides", "src/core", "src/turn/ports", "zod/mini"],
    delivery: ["./components", "./rest", "src/core", "src/turn/ports"],
    // A script for people, which nothing imports: the one file of its folder that runs in Node.
    "register.ts": [
      "./commands/registration",
      "./rest/register-commands",
      "./rest/user-agent",
      "package.json",
      "node:",
    ],
  }),
  // Scripts for people, in Node: nothing of the product imports them.
  ...within("src/setup", null, {
    copy: ["src/setup/token-shape"],
    "token-shape.ts": [],
    "terminal.ts": ["./ports", "@clack/prompts", "node:"],
  }),
  {
    room: "src/setup",
    imports: [
      "src/discord/commands/registration",
      "src/discord/invite-link",
      "src/discord/rest/application-owners",
      "src/discord/rest/user-agent",
      "node:",
      "esbuild",
    ],
  },
  {
    room: "src/playground",
    imports: ["hono", "zod", "discord-api-spec", "cloudflare:workers", "node:", "esbuild"],
  },
  // `npm start`, which chooses between the two.
  { room: "src/start.ts", imports: ["src/playground", "src/laptop"] },
  {
    room: "src/laptop",
    imports: [
      "src/config",
      "src/core/copy/laptop",
      "src/core/state/gateway-status",
      "src/discord/commands/registration",
      "src/discord/invite-link",
      "src/discord/rest",
      "src/index",
      "src/playground",
      "src/setup/copy",
      "src/setup/token-shape",
      "package.json",
      "node:",
      "esbuild",
    ],
  },
  { room: "src/config", imports: ["src/core/money", "zod/mini"], banned: AMBIENT },
  { room: "src/config.ts", imports: ["src/config", "zod/mini", "package.json"] },
  {
    room: "src/health.ts",
    imports: ["src/core/copy", "src/config"],
  },
  {
    room: "src/app.ts",
    imports: [
      "src/core/state",
      "src/core/copy",
      "src/health",
      "src/discord/answers",
      "src/discord/interactions",
      "src/config",
      "hono",
    ],
    banned: AMBIENT,
  },
  {
    room: "src/index.ts",
    imports: [
      "src/app",
      "src/config",
      "durable-objects/channel",
      "durable-objects/gateway/gateway-object",
      "durable-objects/scope/scope-object",
    ],
  },
  ...within("durable-objects", null, {
    store: ["src/channel", "src/core", "src/mcp", "src/toolkit/define"],
    schedule: ["src/core/limits", "src/turn/ports"],
    turn: ["src/channel", "src/core", "src/discord/message-link", "src/mcp", "src/toolkit", "src/turn"],
    "channel-ports.ts": [
      "./schedule",
      "./store",
      "./turn",
      "src/channel",
      "src/config",
      "src/core/state/rpc",
      "src/core/state/media",
      "src/discord/answers/scope-port",
      "src/discord/rest",
      "src/toolkit",
      "src/turn",
    ],
    settings: [
      "./channel-ports",
      "src/channel",
      "src/core",
      "src/discord/answers/channel-port",
      "src/discord/rest/channel-access",
      "src/toolkit/define",
    ],
    replies: [
      "./channel-ports",
      "./settings",
      "./turn",
      "src/core",
      "src/discord/components",
      "src/discord/delivery",
      "src/discord/rest",
      "src/turn/ports",
    ],
    "live-channel.ts": ["./channel-ports", "./hearing/hearing", "./replies"],
    "hearing/hearing.ts": ["./channel-ports", "src/core/state", "src/discord/rest"],
    hearing: [
      "./channel-ports",
      "./live-channel",
      "./operations",
      "./replies",
      "./settings",
      "./store/marks",
      "src/channel",
      "src/core",
      "src/discord/gateway",
      "src/discord/interactions",
      "src/discord/rest",
      "src/gateway",
    ],
    operations: [
      "./channel-ports",
      "./hearing/hearing",
      "./live-channel",
      "./replies",
      "./settings",
      "./store",
      "./turn",
      "src/channel",
      "src/config",
      "src/core",
      "src/discord/answers/channel-port",
      "src/discord/answers/scope-port",
      "src/discord/message-link",
      "src/discord/rest",
      "src/toolkit",
      "src/tools",
      "src/turn",
    ],
    "media.ts": [
      "./channel-ports",
      "src/config",
      "src/discord/rest/attachment-reader",
      "src/model",
      "src/tools/web/secure-fetch",
    ],
    "composition-root.ts": [
      "./media",
      "src/core/access/scope-copy",
      "src/channel/added-servers",
      "./channel-ports",
      "./schedule",
      "./store",
      "./turn",
      "src/config",
      "src/discord/answers/scope-port",
      "src/discord/rest",
      "src/mcp",
      "src/model",
      "src/toolkit",
      "src/tools",
      "src/turn",
    ],
    scope: [
      "./composition-root",
      "./schedule/alarm",
      "./store/migrate",
      "./store/row-size",
      "./store/setting-history",
      "./store/sqlite-storage",
      "src/channel",
      "src/config",
      "src/core/access",
      "src/core/copy/owner-alerts",
      "src/core/copy/privacy",
      "src/core/limits",
      "src/core/money",
      "src/discord/answers",
      "src/discord/rest",
      "src/mcp",
      "src/toolkit/run/http-answer",
      "src/toolkit/run/scrub",
      "src/tools/web",
      "src/turn/ports",
      "cloudflare:workers",
    ],
    gateway: [
      "./composition-root",
      "./schedule/alarm",
      "./store/migrate",
      "./store/sqlite-storage",
      "src/config",
      "src/core/access",
      "src/core/state",
      "src/discord/answer-by-callback",
      "src/discord/answers",
      "src/discord/gateway",
      "src/discord/rest",
      "src/gateway",
      "src/turn/ports",
      "cloudflare:workers",
    ],
    "channel.ts": [
      "./channel-ports",
      "./composition-root",
      "./hearing",
      "./live-channel",
      "./operations",
      "./settings",
      "src/channel",
      "src/core/access/person-rpc",
      "src/core/state",
      "src/discord/answers/channel-port",
      "src/gateway",
      "cloudflare:workers",
    ],
  }),
];
const MAX_LINES = 250;
const MAX_TEST_LINES = 400;
const VAGUE_NAMES = /^(utils?|helpers?|common|managers?|services?)\.ts$/;

/** The files of a room without those of the rooms inside it. */
function filesIn({ room }: Room): string[] {
  const inner = rooms.map((other) => other.room).filter((other) => other !== room && other.startsWith(`${room}/`));
  return listSources(room).filter((file) => !inner.some((other) => file === other || file.startsWith(`${other}/`)));
}

const reaches = (rule: string, to: string) => {
  const door = rule.replace(/\.ts$/, "");
  return to === door || to.startsWith(door.endsWith(":") ? door : `${door}/`);
};

describe.each(rooms)("$room", (row) => {
  const files = filesIn(row);

  it("imports only its neighbors, names nothing that is banned, and keeps its files short", () => {
    const faults: string[] = [];
    for (const file of files) {
      const text = readSource(file);
      for (const { to } of readImports(file))
        if (![row.room, ...row.imports].some((rule) => reaches(rule, to))) faults.push(`${file} imports ${to}`);
      const named = row.banned && withoutComments(text).match(row.banned);
      if (named) faults.push(`${file} names ${named[0]}`);
      const lines = text.trimEnd().split("\n").length;
      if (lines > MAX_LINES) faults.push(`${file} has ${lines} lines, at most ${MAX_LINES} are allowed`);
      if (!/^(\/\/|\/\*|#!)/.test(text)) faults.push(`${file} does not say in its first line what it owns`);
    }
    expect(faults).toEqual([]);
  });

  it("has files, and uses every import that its row allows", () => {
    expect(files).not.toEqual([]);
    const used = files.flatMap(readImports);
    expect(row.imports.filter((rule) => !used.some(({ to }) => reaches(rule, to)))).toEqual([]);
  });
});

describe("the whole tree", () => {
  const files = ["src", "durable-objects", "test"].flatMap(listSources);
  const sources = files.filter((file) => !file.startsWith("test/"));

  it("has every source file in exactly one room", () => {
    expect([...sources].sort()).toEqual(rooms.flatMap(filesIn).sort());
  });

  it("has no circle of imports that run", () => {
    expect(findImportCircles(sources)).toEqual([]);
  });

  it("has no file named utils, helpers, common, manager or service, and one barrel at most", () => {
    expect(files.filter((file) => VAGUE_NAMES.test(basename(file)))).toEqual([]);
    const barrels = files.filter((file) => basename(file) === "index.ts" && file !== "src/index.ts");
    expect(barrels.filter((file) => file !== "src/tools/index.ts")).toEqual([]);
  });

  it("keeps test files short, without module mocks, skipped or focused tests, or silenced types", () => {
    const faults = files.flatMap((file) => {
      const text = readSource(file);
      const isLong = file.startsWith("test/") && text.trimEnd().split("\n").length > MAX_TEST_LINES;
      const trick = file.endsWith("architecture.test.ts")
        ? null
        : text.match(/vi\.mock\(|\.(only|skip)\(|@ts-(ignore|nocheck)|\bas any\b/);
      return [
        ...(isLong ? [`${file} has more than ${MAX_TEST_LINES} lines`] : []),
        ...(trick ? [`${file} has ${trick[0]}`] : []),
      ];
    });
    expect(faults).toEqual([]);
  });
});
