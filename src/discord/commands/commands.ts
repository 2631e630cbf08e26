// Every command as data. Registration (registration.ts), parsing (invocation.ts) and the handlers (answers/) follow from it. A new command is an
// entry here, its words (core/copy/commands.ts) and one handler; it does not compile without them.
import { MAX_CONTEXT_TURNS } from "../../core/deliberate/affordance-window.ts";
import {
  CATCH_UP_HOURS,
  MAX_PATTERN_CHARS,
  MAX_PHRASE_CHARS,
  OWN_FACT_CHARS,
  PERSONA_NAME_CHARS,
  PERSONA_PROMPT_CHARS,
  QUESTION_CODE_POINTS,
} from "../../core/limits.ts";
import type { Access, CommandTree, CompletingIn, Given, LeafAt, LeafShape, PathsOf } from "./command-shapes.ts";

/** Whether a setting applies in this channel, which is the default, or in its whole server. */
const SCOPE = { type: "text", choices: ["here", "server"] } as const;
/** The name of something that exists; the names are offered while a person types. */
const PICKED = { type: "text", required: true, completes: true } as const;
const SWITCH = { type: "text", required: true, choices: ["on", "off"] } as const;

/** Enough for a sentence or two. */
const MAX_FOCUS_CHARS = 300;

/** The slash commands. */
export const commands = {
  chat: {
    access: "anyone",
    options: {
      message: { type: "text", required: true, maxLength: QUESTION_CODE_POINTS },
      file: { type: "file" },
      persona: { type: "text", completes: true },
      thread: { type: "flag" },
    },
  },
  scene: {
    access: "anyone",
    options: {
      personas: PICKED,
      prompt: { type: "text", required: true, maxLength: QUESTION_CODE_POINTS },
    },
  },
  "ask-long": { access: "anyone" },
  help: { access: "anyone" },
  "catch-up": { access: "anyone", options: { since: { type: "whole", min: 1, max: CATCH_UP_HOURS } } },
  stop: { access: "anyone" },
  bot: {
    subcommands: {
      kill: { access: "anyone" },
      status: { access: "anyone" },
      trace: { access: "anyone", options: { turn: { type: "text", completes: true } } },
      usage: { access: "anyone", options: { person: { type: "text", maxLength: 40 } } },
      summary: { access: "anyone" },
      compact: { access: "moderator", options: { focus: { type: "text", maxLength: MAX_FOCUS_CHARS } } },
      reset: { access: "moderator" },
    },
  },
  persona: {
    subcommands: {
      create: {
        access: "manager",
        options: {
          name: { type: "text", required: true, maxLength: PERSONA_NAME_CHARS },
          prompt: { type: "text", required: true, maxLength: PERSONA_PROMPT_CHARS },
          avatar: { type: "text" },
        },
      },
      edit: {
        access: "manager",
        options: {
          name: PICKED,
          prompt: { type: "text", maxLength: PERSONA_PROMPT_CHARS },
          avatar: { type: "text" },
        },
      },
      delete: { access: "manager", options: { name: PICKED } },
      list: { access: "manager" },
      use: { access: "manager", options: { name: { type: "text", completes: true } } },
    },
  },
  owner: {
    contexts: ["own_dm"],
    subcommands: {
      servers: { access: "anyone" },
      usage: { access: "anyone" },
      allow: { access: "anyone", options: { server: { type: "text", required: true, maxLength: 20 } } },
      deny: {
        access: "anyone",
        options: {
          server: { type: "text", required: true, maxLength: 20 },
          reason: { type: "text", required: true, maxLength: 200 },
        },
      },
      block: { access: "anyone", options: { user: { type: "text", required: true, maxLength: 40 } } },
      unblock: { access: "anyone", options: { user: { type: "text", required: true, maxLength: 40 } } },
      pause: { access: "anyone", options: { state: SWITCH } },
    },
  },
  tools: {
    subcommands: {
      list: { access: "anyone" },
      connect: { access: "manager", options: { server: PICKED } },
      disconnect: { access: "manager", options: { server: PICKED } },
      add: {
        access: "manager",
        options: {
          name: { type: "text", required: true, maxLength: 24 },
          url: { type: "text", required: true, maxLength: 2048 },
        },
      },
      remove: { access: "manager", options: { name: PICKED } },
    },
  },
  privacy: {
    subcommands: {
      show: { access: "anyone" },
      export: { access: "anyone" },
      forget: { access: "anyone" },
      "opt-out": { access: "anyone", options: { state: SWITCH } },
    },
  },
  remember: {
    subcommands: {
      me: { access: "anyone", options: { text: { type: "text", required: true, maxLength: OWN_FACT_CHARS } } },
    },
  },
  reminders: {
    subcommands: {
      list: { access: "anyone" },
      cancel: { access: "anyone", options: { number: { type: "whole", required: true, min: 1 } } },
    },
  },
  deliberate: {
    subcommands: {
      mode: { access: "manager", options: { state: SWITCH } },
      context: {
        access: "manager",
        options: { turns: { type: "whole", required: true, min: 0, max: MAX_CONTEXT_TURNS } },
      },
      trigger: {
        access: "manager",
        options: {
          action: { type: "text", required: true, choices: ["add", "remove", "list"] },
          tool: { type: "text", completes: true },
          phrase: { type: "text", maxLength: MAX_PHRASE_CHARS },
          pattern: { type: "text", maxLength: MAX_PATTERN_CHARS },
        },
      },
      me: { access: "anyone", options: { state: { type: "text", required: true, choices: ["off", "follow", "on"] } } },
    },
  },
  config: {
    subcommands: {
      show: { access: "manager" },
      set: {
        access: "manager",
        options: {
          key: PICKED,
          value: PICKED,
          scope: SCOPE,
        },
      },
      clear: { access: "manager", options: { key: PICKED, scope: SCOPE } },
      history: { access: "manager", options: { scope: SCOPE } },
    },
  },
  model: { access: "manager", options: { name: { type: "text", completes: true }, scope: SCOPE } },
} as const satisfies CommandTree;

/** The commands in a message's menu. Their names may have spaces and capitals (Discord). */
export const messageCommands = ["Ask about this"] as const;

/** The path of a command, such as `chat` or `bot kill`. */
export type CommandPath = PathsOf<typeof commands>;

/** The description of one command. */
export type Leaf<Path extends CommandPath> = LeafAt<typeof commands, Path>;

/** One use of a command, with the values of its options. */
export type CommandCall = { [Path in CommandPath]: { path: Path; options: Given<Leaf<Path>> } }[CommandPath];

/** The paths of the commands that have an option with autocomplete. */
export type CompletingPath = {
  [Path in CommandPath]: CompletingIn<Leaf<Path>> extends never ? never : Path;
}[CommandPath];

/** The name of a command in a message's menu. */
export type MessageCommand = (typeof messageCommands)[number];

const tree: CommandTree = commands;

/** Finds the command with this name and subcommand; null if it doesn't exist, or no longer does. */
export function commandAt(name: string, subcommand: string | undefined): { path: CommandPath; leaf: LeafShape } | null {
  const entry = Object.hasOwn(tree, name) ? tree[name] : undefined;
  if (!entry) return null;
  if (!("subcommands" in entry)) return { path: name as CommandPath, leaf: entry };
  const leaf =
    subcommand !== undefined && Object.hasOwn(entry.subcommands, subcommand) && entry.subcommands[subcommand];
  return leaf ? { path: `${name} ${subcommand}` as CommandPath, leaf } : null;
}

/** Returns who may use the command. An unknown path needs a manager, the strictest level. */
export function accessTo(path: CommandPath): Access {
  const [name = "", subcommand] = path.split(" ");
  return commandAt(name, subcommand)?.leaf.access ?? "manager";
}
