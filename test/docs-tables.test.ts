// Compares the tables of the pages with the code, both ways: what a table lists exists, and what exists is listed.
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { type SettingKey, settingKeys, settingRules } from "../src/channel/settings.ts";
import { parseConfig } from "../src/config.ts";
import type { CommandTree, LeafShape } from "../src/discord/commands/command-shapes.ts";
import { commands, messageCommands } from "../src/discord/commands/commands.ts";
import { rowNames } from "../src/setup/copy/doctor.ts";
import { done, question } from "../src/setup/copy/setup.ts";
import { COMMAND_COUNT } from "../src/setup/wanted.ts";
import { tools } from "../src/tools/index.ts";
import { codeBlocks, codeSpans, readText, sectionOf, tableIn } from "./support/pages.ts";
import { rooms } from "./support/rooms.ts";
import { listSources } from "./support/source-tree.ts";

const COMMANDS = "src/discord/commands/README.md";

/** Says how a list differs from the code, in words that say what to change. */
function differences(list: string, listed: readonly string[], there: readonly string[]): string[] {
  const count = (all: readonly string[], one: string) => all.filter((other) => other === one).length;
  return [...new Set([...there, ...listed])].flatMap((one) => {
    const more = count(listed, one) - count(there, one);
    return more === 0 ? [] : [`${list} ${more < 0 ? `lacks ${one}` : `has ${one} once too often`}`];
  });
}

/** Builds a command's usage as the page shows it, with optional parts in brackets. */
function usageOf(path: string, { options = {} }: LeafShape): string {
  const names = Object.entries(options).map(([name, { required }]) => (required ? name : `[${name}]`));
  return [`/${path}`, ...names].join(" ");
}

const leaves = Object.entries<CommandTree[string]>(commands).flatMap(([name, entry]): [string, LeafShape][] =>
  "subcommands" in entry
    ? Object.entries(entry.subcommands).map(([subcommand, leaf]) => [`${name} ${subcommand}`, leaf])
    : [[name, entry]],
);

describe("the table of commands", () => {
  const rows = tableIn(sectionOf(COMMANDS, "## Commands"));
  const inTable = rows.flatMap(([usage = "", who = ""]) => codeSpans(usage).map((one) => ({ usage: one, who })));

  it("has each command with its options, and no other", () => {
    const usages = [...leaves.map(([path, leaf]) => usageOf(path, leaf)), ...messageCommands];
    const listed = inTable.map(({ usage }) => usage);
    expect(differences(`the table of commands in ${COMMANDS}`, listed, usages)).toEqual([]);
  });

  it("says who may use each command", () => {
    const words = {
      anyone: /^(?!.*Manage Server)(?!moderators)/,
      moderator: /^moderators$/,
      manager: /^Manage Server$/,
    };
    const wrong = leaves.filter(([path, leaf]) => {
      const row = inTable.find(({ usage }) => usage === usageOf(path, leaf));
      return !words[leaf.access].test(row?.who ?? "");
    });
    expect(wrong.map(([path]) => path)).toEqual([]);
  });
});

describe("the table of settings", () => {
  const rows = tableIn(sectionOf(COMMANDS, "## Settings"));

  it("has each setting, and no other", () => {
    const listed = rows.flatMap(([keys = ""]) => codeSpans(keys));
    expect(differences(`the table of settings in ${COMMANDS}`, listed, settingKeys)).toEqual([]);
  });

  it("has the default of each setting", () => {
    const defaultOf = <Key extends SettingKey>(key: Key) =>
      settingRules[key].write(settingRules[key].fallback as never);
    const wrong = rows.flatMap(([keys = "", value = ""]) =>
      (codeSpans(keys) as SettingKey[]).flatMap((key) =>
        value.replaceAll("`", "").startsWith(defaultOf(key))
          ? []
          : [`${COMMANDS}: the default of ${key} is ${defaultOf(key)}`],
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe("the table of variables", () => {
  const PAGE = "src/config/README.md";
  const names = tableIn(readText(PAGE)).flatMap(([name = ""]) => codeSpans(name));

  it("has each variable that the configuration reads, and no other", () => {
    const read = new Set<string>();
    const note = (name: string | symbol) => {
      if (typeof name === "string" && /^[A-Z][A-Z0-9_]+$/.test(name)) read.add(name);
    };
    const env = new Proxy(
      {},
      {
        get: (_, name) => void note(name),
        has: (_, name) => {
          note(name);
          return false;
        },
      },
    );
    parseConfig(env);
    expect(differences(`the table of variables in ${PAGE}`, names, [...read])).toEqual([]);
  });

  it("has the variables of the example", () => {
    const inExample = [...readText(".dev.vars.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(inExample.filter((name) => !names.includes(name ?? ""))).toEqual([]);
  });
});

it("the playground's page names each route of the local world, and no other", () => {
  const routes = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, path = ""]) => path);
  const code = ["control.ts", "people-control.ts", "panel-control.ts", "gateway/control.ts"].map((file) =>
    readText(`src/playground/${file}`),
  );
  const inCode = routes(code.join("\n"), /app\.(?:get|post)\("(\/local\/[^"]+)"/g);
  const page = "src/playground/README.md";
  const onPage = routes(sectionOf(page, "## For tests and scripts"), /`(\/local\/[^`\s]+)`/g);
  expect(differences(`"For tests and scripts" in ${page}`, onPage, inCode)).toEqual([]);
});

describe("what the pages quote of setup", () => {
  const said = [
    question.token,
    done.application("Parley", 1),
    done.loggedIn("Juno's account"),
    done.subdomain("juno"),
    done.workerNew("parley"),
    question.modelKey,
    done.model("gpt-5.4-mini at api.openai.com"),
    done.deployed("https://parley.juno.workers.dev"),
    done.healthy,
    done.intent,
    done.installSettings,
    done.endpoint,
    done.commands(COMMAND_COUNT),
    done.joined("Parley Lounge"),
  ];
  const SETUP = "src/setup/README.md";

  it("is what setup prints", () => {
    const [screen = ""] = codeBlocks(sectionOf("README.md", "## Put it on your server"), "text");
    const steps = tableIn(sectionOf(SETUP, "## Step by step")).flatMap(([, words = ""]) => codeSpans(words));
    const lines = screen.trim().split("\n");
    const quoted = [...lines.map((line) => line.replace(/^[◆✓] /, "")), ...steps];
    expect(lines.length * steps.length).toBeGreaterThan(0);
    const wrong = quoted.filter((line) => !said.includes(line));
    expect(
      wrong,
      `README.md and ${SETUP} quote what setup does not say; it says, for example, "${done.commands(COMMAND_COUNT)}"`,
    ).toEqual([]);
  });

  it("has as many rows as the doctor", () => {
    expect(readText(SETUP)).toContain(`one line for each of ${Object.keys(rowNames).length} things`);
  });
});

describe("the table of tools", () => {
  const PAGE = "src/tools/README.md";
  const rows = tableIn(readText(PAGE));

  it("has each tool that ships, and no other", () => {
    const listed = rows.flatMap(([names = ""]) => codeSpans(names));
    const ship = tools.map(({ name }) => name);
    expect(differences(`the table of tools in ${PAGE}`, listed, ship)).toEqual([]);
  });

  it("has each file of the folder as a tool of the list", () => {
    const files = listSources("src/tools").filter((file) => !/^src\/tools\/(web|cards)\//.test(file));
    const names = files.filter((file) => file !== "src/tools/index.ts").map((file) => basename(file, ".ts"));
    const listed = tools.map(({ name }) => name.replaceAll("_", "-"));
    expect(differences("the list in src/tools/index.ts", listed, names)).toEqual([]);
  });

  it("says of each tool whether it needs the bot", () => {
    const wrong = tools.filter(({ name, requires }) => {
      const needsBot = requires?.botToken === true || requires?.services?.includes("actions") === true;
      const [, , needs = ""] = rows.find(([names = ""]) => codeSpans(names).includes(name)) ?? [];
      return needsBot !== /^bot\b/.test(needs);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe("the tables of folders", () => {
  const PAGE = ".github/CONTRIBUTING.md";
  const firstCells = (heading: string) =>
    tableIn(sectionOf(PAGE, heading)).map(([first = "", second = ""]) => [first, second] as const);
  /** The path of a room in the tree: `src/core`, `durable-objects`. */
  const topOf = ({ room }: { room: string }) =>
    room
      .split("/")
      .slice(0, room.startsWith("src/") ? 2 : 1)
      .join("/");

  it("have a row for each room that the architecture test knows, and no other", () => {
    const named = firstCells("## The folders").flatMap(([first]) => codeSpans(first));
    expect(differences(`"The folders" in ${PAGE}`, named, [...new Set([...rooms.map(topOf), "test"])])).toEqual([]);
  });

  it("name each room inside the larger folders", () => {
    const inside = firstCells("### Inside the larger folders");
    const missing = inside.flatMap(([first, text]) => {
      const folder = codeSpans(first)[0] ?? "";
      const names = rooms.flatMap(({ room }) => (room.startsWith(`${folder}/`) ? [room.slice(folder.length + 1)] : []));
      return names
        .filter((name) => !name.endsWith(".ts") && !codeSpans(text).includes(name))
        .map((name) => `"Inside the larger folders" in ${PAGE} lacks ${name} of ${folder}`);
    });
    expect(inside.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  });
});
