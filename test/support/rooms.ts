// The rooms of the repository as a table: who may import whom, and which names are forbidden where. Change it only on purpose; the
// architecture test enforces it. A room is a folder or a file. One with a row of its own does not belong to the folder around it.
import { objectRooms } from "./object-rooms.ts";

const AMBIENT = /\b(Date\.now|new Date\(\)|Math\.random|crypto\.|(?<!\.)fetch\(|setTimeout|setInterval|console\.)/;
const IMPURE = new RegExp(`${AMBIENT.source}|\\bawait\\b|\\bclass\\b`);

/** A room and its rules. */
export interface Room {
  room: string;
  /** Folders, files or packages; the room itself is always allowed. */
  imports: string[];
  /** Names that may only appear in comments. */
  banned?: RegExp;
}

/** A folder whose rooms share a prefix and forbidden names. */
const within = (folder: string, banned: RegExp | null, rows: Record<string, string[]>): Room[] =>
  Object.entries(rows).map(([name, imports]) => ({
    room: `${folder}/${name}`,
    imports: imports.map((to) => (to.startsWith("./") ? `${folder}/${to.slice(2)}` : to)),
    ...(banned && { banned }),
  }));

/** Every room. */
export const rooms: readonly Room[] = [
  // Pure decisions: no clock, no randomness, no I/O, no class, no await.
  ...within("src/core", IMPURE, {
    "bytes.ts": [],
    "describe-error.ts": [],
    "json.ts": [],
    "limits.ts": [],
    "once.ts": [],
    money: [],
    time: [],
    deliberate: ["./limits", "./markdown/code-points", "./once"],
    markdown: ["./limits", "./once"],
    taint: ["./once", "./transcript/one-form", "./transcript/template-tokens"],
    transcript: ["./limits", "./markdown/code-points", "./once", "./taint"],
    access: ["./money"],
    state: ["./access", "./limits", "./deliberate", "./money", "./once", "./taint", "./time", "./transcript/asides"],
    decisions: ["./state", "./limits", "./deliberate", "./markdown/code-points", "./money", "./taint"],
    copy: [
      "./access",
      "./decisions",
      "./state",
      "./deliberate",
      "./markdown",
      "./money",
      "./limits",
      "./once",
      "./taint",
    ],
  }),
  { room: "src/channel", imports: ["src/core", "zod/mini"], banned: AMBIENT },
  ...within("src/toolkit", AMBIENT, {
    "read-json.ts": ["src/core/transcript/long-numbers", "src/core/transcript/utf8"],
    "tool-result.ts": [],
    define: [
      "./read-json",
      "./tool-result",
      "src/core/copy/tool-needs",
      "src/core/deliberate",
      "src/core/state",
      "src/core/taint",
      "zod/v4/core",
    ],
    intake: ["./define", "./read-json", "./tool-result", "jsonrepair"],
    run: [
      "./define",
      "./intake",
      "./read-json",
      "./tool-result",
      "src/core/bytes",
      "src/core/copy/notices",
      "src/core/markdown/code-points",
      "src/core/state",
      "src/core/taint",
      "src/core/transcript",
    ],
    "text-calls": ["./define", "./read-json", "src/core/taint", "src/core/transcript"],
  }),
  { room: "src/turn", imports: ["src/core", "src/toolkit"], banned: AMBIENT },
  {
    room: "src/tools",
    imports: ["src/core", "src/tools/cards/triggers", "src/toolkit/define", "src/toolkit/run/http-answer", "zod/mini"],
    banned: AMBIENT,
  },
  { room: "src/tools/cards", imports: ["src/tools", "src/toolkit/define", "src/core/deliberate"], banned: AMBIENT },
  // A script for people, which runs in Node; nothing in the product imports it.
  {
    room: "src/tools/cards/write-cards.ts",
    imports: ["src/tools", "src/scripts/arguments", "node:"],
  },
  {
    room: "src/mcp",
    imports: ["src/core/json", "src/core/taint/untrusted-text", "src/core/transcript", "src/toolkit", "zod/mini"],
    banned: AMBIENT,
  },
  { room: "src/gateway", imports: ["src/core/json", "src/core/state"], banned: IMPURE },
  { room: "src/model", imports: ["src/core", "src/turn/ports"] },
  ...within("src/discord", null, {
    "components.ts": ["src/core/copy"],
    "invite-link.ts": [],
    "message-link.ts": [],
    "person-json.ts": ["src/core/once", "zod/mini"],
    "message-asides.ts": ["src/core/once", "src/core/transcript/asides", "zod/mini"],
    commands: ["src/core", "discord-api-types"],
    interactions: ["./commands", "./components", "./message-asides", "./person-json", "src/core", "zod/mini"],
    gateway: [
      "./interactions",
      "./message-asides",
      "./person-json",
      "src/core/json",
      "src/core/once",
      "src/core/state/access-lists",
      "src/core/transcript/asides",
      "src/gateway",
      "zod/mini",
    ],
    "answer-by-callback.ts": [
      "./answers",
      "./interactions",
      "./rest",
      "src/core/once",
      "src/gateway/snowflake",
      "src/turn/ports",
      "zod/mini",
    ],
    answers: ["./commands", "./components", "./interactions", "src/core", "src/channel"],
    rest: ["./message-asides", "./person-json", "src/core", "src/turn/ports", "zod/mini"],
    delivery: ["./components", "./rest", "src/core", "src/turn/ports"],
    "register.ts": [
      "./commands/registration",
      "./rest/register-commands",
      "./rest/user-agent",
      "src/config/defaults",
      "src/scripts",
      "package.json",
      "node:",
    ],
  }),
  // Scripts for people, which run in Node; nothing in the product imports them. The first row is what they share.
  { room: "src/scripts", imports: ["node:"] },
  ...within("src/setup", null, {
    copy: ["src/setup/token-shape"],
    "token-shape.ts": [],
    "terminal.ts": ["./copy", "./ports", "@clack/prompts", "node:"],
  }),
  {
    room: "src/setup",
    imports: [
      "src/config/addresses",
      "src/config/defaults",
      "src/config/prices",
      "src/discord/commands/registration",
      "src/discord/invite-link",
      "src/discord/rest/application-owners",
      "src/discord/rest/entry-point",
      "src/discord/rest/lost-reason",
      "src/discord/rest/user-agent",
      "src/model/endpoint",
      "src/model/failure-reason",
      "src/model/json-fields",
      "src/model/learn-quirk",
      "src/model/provider-error",
      "src/model/quirks",
      "src/model/request-body",
      "src/playground/claim",
      "src/scripts",
      "src/tools/web/public-url",
      "node:",
      "rolldown",
    ],
  },
  {
    room: "src/playground",
    imports: [
      "src/scripts",
      "hono",
      "zod",
      "discord-api-spec",
      "highlight.js",
      "cloudflare:workers",
      "node:",
      "esbuild",
    ],
  },
  // `npm start`, which chooses between the two.
  { room: "src/start.ts", imports: ["src/playground", "src/laptop", "src/scripts"] },
  {
    room: "src/laptop",
    imports: [
      "durable-objects",
      "src/config",
      "src/core/copy/laptop",
      "src/core/json",
      "src/core/state/gateway-status",
      "src/discord/commands/registration",
      "src/discord/invite-link",
      "src/discord/rest",
      "src/index",
      "src/playground",
      "src/scripts",
      "src/setup/copy",
      "src/setup/token-shape",
      "src/setup/wanted",
      "src/tools/web/public-url",
      "package.json",
      "node:",
      "esbuild",
    ],
  },
  {
    room: "src/config",
    imports: ["src/core/access/policy", "src/core/json", "src/core/money", "src/core/once", "zod/mini"],
    banned: AMBIENT,
  },
  { room: "src/config.ts", imports: ["src/config", "package.json"] },
  {
    room: "src/health.ts",
    imports: ["src/core/bytes", "src/core/copy", "src/config", "src/discord/rest/user-agent", "src/model/endpoint"],
  },
  { room: "src/inspector/access.ts", imports: [] },
  // What runs in the browser is a string here, so it may use any name.
  { room: "src/inspector/live-script.ts", imports: [] },
  {
    room: "src/inspector",
    imports: [
      "src/core/access",
      "src/core/copy",
      "src/core/decisions/trace",
      "src/core/money",
      "src/core/state",
      "hono/html",
    ],
    banned: AMBIENT,
  },
  { room: "src/trace", imports: ["src/core", "src/inspector/waterfall", "src/scripts"] },
  {
    room: "src/endpoint.ts",
    imports: [
      "src/core/bytes",
      "src/core/decisions/log-limit",
      "src/discord/answers",
      "src/discord/interactions",
      "src/config",
    ],
    banned: AMBIENT,
  },
  {
    room: "src/app.ts",
    imports: [
      "src/core/copy",
      "src/endpoint",
      "src/health",
      "src/inspector",
      "src/discord/answers",
      "src/discord/rest/place-names",
      "src/discord/rest/user-agent",
      "src/config",
      "hono",
    ],
    banned: AMBIENT,
  },
  {
    room: "src/index.ts",
    imports: [
      "src/app",
      "src/endpoint",
      "src/config",
      "durable-objects/channel",
      "durable-objects/gateway/gateway-object",
      "durable-objects/scope/scope-object",
    ],
  },
  ...within("durable-objects", null, objectRooms),
];
