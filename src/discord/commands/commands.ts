// Every command as data. Registration (registration.ts), parsing (invocation.ts) and the handlers (answers/) follow from it: a
// new command is an entry here and one handler, and does not compile without the handler.
import { PERSONA_NAME_CHARS, PERSONA_PROMPT_CHARS } from "../../channel/personas.ts";
import { MAX_CONTEXT_TURNS } from "../../core/deliberate/affordance-window.ts";
import { MAX_PATTERN_CHARS, MAX_PHRASE_CHARS } from "../../core/deliberate/trigger-phrases.ts";
import { QUESTION_CODE_POINTS } from "../../core/limits.ts";
import type { Access, CommandTree, CompletingIn, Given, LeafAt, LeafShape, PathsOf } from "./command-shapes.ts";

/** The slash commands. */
export const commands = {
  chat: {
    description: "Ask Parley something",
    access: "anyone",
    options: {
      message: {
        type: "text",
        description: "What you want to say",
        required: true,
        maxLength: QUESTION_CODE_POINTS,
      },
      file: { type: "file", description: "An image or a text file to look at" },
      persona: { type: "text", description: "Who shall answer", completes: true },
    },
  },
  scene: {
    description: "Let several personas speak in turn",
    access: "anyone",
    options: {
      personas: {
        type: "text",
        description: "Who speaks, in order, with commas between",
        required: true,
        completes: true,
      },
      prompt: {
        type: "text",
        description: "What they speak about",
        required: true,
        maxLength: QUESTION_CODE_POINTS,
      },
    },
  },
  "ask-long": { description: "Ask something long: many lines, and files", access: "anyone" },
  stop: { description: "Stop the answer that is being written; what was said stays", access: "anyone" },
  bot: {
    description: "What Parley is doing here",
    subcommands: {
      kill: { description: "End the running answer at once and clear the queue", access: "anyone" },
      status: { description: "Show what is running and who waits", access: "anyone" },
      trace: {
        description: "Show what happened in a turn, step by step",
        access: "anyone",
        options: {
          turn: { type: "text", description: "Which turn; the last one if you leave it out", completes: true },
        },
      },
      usage: { description: "Show what you and this channel have used today", access: "anyone" },
      reset: { description: "Forget this channel's conversation", access: "moderator" },
    },
  },
  persona: {
    description: "The personas of this channel",
    subcommands: {
      create: {
        description: "Make a persona",
        access: "manager",
        options: {
          name: { type: "text", description: "Its name", required: true, maxLength: PERSONA_NAME_CHARS },
          prompt: {
            type: "text",
            description: "Who it is and how it speaks",
            required: true,
            maxLength: PERSONA_PROMPT_CHARS,
          },
          avatar: { type: "text", description: "The https address of a picture" },
        },
      },
      edit: {
        description: "Change a persona",
        access: "manager",
        options: {
          name: { type: "text", description: "Which persona", required: true, completes: true },
          prompt: { type: "text", description: "Who it is and how it speaks", maxLength: PERSONA_PROMPT_CHARS },
          avatar: { type: "text", description: "The https address of a picture" },
        },
      },
      delete: {
        description: "Delete a persona; what it said stays",
        access: "manager",
        options: { name: { type: "text", description: "Which persona", required: true, completes: true } },
      },
      list: { description: "Show this channel's personas", access: "manager" },
      use: {
        description: "Let a persona answer here from now on, or with no name the bot itself",
        access: "manager",
        options: { name: { type: "text", description: "Which persona", completes: true } },
      },
    },
  },
  tools: {
    description: "What Parley can do here",
    subcommands: {
      list: { description: "Show the tools, which of them are offered now, and why", access: "anyone" },
    },
  },
  deliberate: {
    description: "Deliberate tool mode: tools are offered only to messages that ask for them",
    subcommands: {
      mode: {
        description: "Turn the mode on or off in this channel",
        access: "manager",
        options: { state: { type: "text", description: "On or off", required: true, choices: ["on", "off"] } },
      },
      context: {
        description: "Set for how many turns a tool stays offered after it was used",
        access: "manager",
        options: {
          turns: { type: "whole", description: "0 to 10 turns", required: true, min: 0, max: MAX_CONTEXT_TURNS },
        },
      },
      trigger: {
        description: "Add, remove or list words of this channel that ask for a tool",
        access: "manager",
        options: {
          action: { type: "text", description: "What to do", required: true, choices: ["add", "remove", "list"] },
          tool: { type: "text", description: "Which tool", completes: true },
          phrase: {
            type: "text",
            description: "Words; a trailing * takes any ending, ^ alone means every turn",
            maxLength: MAX_PHRASE_CHARS,
          },
          pattern: { type: "text", description: "A regular expression", maxLength: MAX_PATTERN_CHARS },
        },
      },
      me: {
        description: "Choose for your own messages",
        access: "anyone",
        options: {
          state: {
            type: "text",
            description: "Off, as the channel has it, or on",
            required: true,
            choices: ["off", "follow", "on"],
          },
        },
      },
    },
  },
  config: {
    description: "The settings of this channel",
    subcommands: {
      show: { description: "Show what holds here, and why", access: "manager" },
      set: {
        description: "Set one setting",
        access: "manager",
        options: {
          key: { type: "text", description: "Which setting", required: true, completes: true },
          value: { type: "text", description: "Its new value", required: true, completes: true },
        },
      },
      clear: {
        description: "Take a setting back, so that the parent's or the default holds",
        access: "manager",
        options: { key: { type: "text", description: "Which setting", required: true, completes: true } },
      },
    },
  },
} as const satisfies CommandTree;

/** The commands in a message's menu. Their names may have spaces and capitals (Discord). */
export const messageCommands = { "Ask about this": { access: "anyone" } } as const satisfies Readonly<
  Record<string, { access: Access }>
>;

/** The path of a command: `chat`, `bot kill`. */
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
export type MessageCommand = keyof typeof messageCommands;

const tree: CommandTree = commands;

/** Finds the command with this name and subcommand. Null when there is none, or none any more. */
export function commandAt(name: string, subcommand: string | undefined): { path: CommandPath; leaf: LeafShape } | null {
  const entry = Object.hasOwn(tree, name) ? tree[name] : undefined;
  if (!entry) return null;
  if (!("subcommands" in entry)) return { path: name as CommandPath, leaf: entry };
  const leaf =
    subcommand !== undefined && Object.hasOwn(entry.subcommands, subcommand) && entry.subcommands[subcommand];
  return leaf ? { path: `${name} ${subcommand}` as CommandPath, leaf } : null;
}

/** Who may use the command. An unknown path needs a manager, the strictest level. */
export function accessTo(path: CommandPath): Access {
  const [name = "", subcommand] = path.split(" ");
  return commandAt(name, subcommand)?.leaf.access ?? "manager";
}
