// How a command is described, and the types that follow from a description: its path, the values of its options, and the options
// with autocomplete. Types only; the commands are in commands.ts, their words in core/copy/commands.ts.
import type { Attachment } from "../../core/state/attachments.ts";

/**
 * Who may use a command. `anyone`: everyone, unless the channel's object decides otherwise. `moderator`: Manage Messages, Manage Server or
 * Administrator. `manager`: Manage Server or Administrator. In the bot's own direct messages the person is both; in conversations between people
 * no one is.
 */
export type Access = "anyone" | "moderator" | "manager";

/** An option. Required options come first (Discord). `completes`: choices are offered while a person types. */
export type OptionShape =
  | {
      type: "text";
      required?: true;
      maxLength?: number;
      choices?: readonly string[];
      completes?: true;
    }
  | { type: "whole"; required?: true; min?: number; max?: number }
  | { type: "flag"; required?: true }
  | { type: "file"; required?: true };

/** The options of a command, in the order in which people see them. */
export type OptionShapes = Readonly<Record<string, OptionShape>>;

/** A command, or a subcommand, that a person can use. */
export interface LeafShape {
  access: Access;
  options?: OptionShapes;
}

/** A command that only groups its subcommands. */
export interface GroupShape {
  /** Where the command is offered, if not everywhere. */
  contexts?: readonly ["own_dm"];
  subcommands: Readonly<Record<string, LeafShape>>;
}

/** All slash commands by name. */
export type CommandTree = Readonly<Record<string, LeafShape | GroupShape>>;

/** The path of every command, such as `chat` and `bot kill`. */
export type PathsOf<Tree extends CommandTree> = {
  [Name in keyof Tree & string]: Tree[Name] extends { subcommands: infer Subcommands }
    ? `${Name} ${keyof Subcommands & string}`
    : Name;
}[keyof Tree & string];

/** Every path that needs words: commands, subcommands and options, such as `bot trace turn`. */
export type DescribedPathsOf<Tree extends CommandTree> = {
  [Name in keyof Tree & string]: Tree[Name] extends { subcommands: infer Subcommands }
    ?
        | Name
        | { [Sub in keyof Subcommands & string]: WithOptions<`${Name} ${Sub}`, Subcommands[Sub]> }[keyof Subcommands &
            string]
    : WithOptions<Name, Tree[Name]>;
}[keyof Tree & string];

type WithOptions<Path extends string, Leaf> = Path | `${Path} ${keyof OptionsOf<Leaf> & string}`;

/** The description of the command with this path. */
export type LeafAt<Tree extends CommandTree, Path> = Path extends `${infer Name} ${infer Subcommand}`
  ? Tree[Name] extends { subcommands: infer Subcommands }
    ? Subcommands[Subcommand & keyof Subcommands]
    : never
  : Tree[Path & keyof Tree];

type OptionsOf<Leaf> = Leaf extends { options: infer Options } ? Options : Record<never, never>;

type GivenAs<Option> = Option extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Option extends { type: "whole" }
    ? number
    : Option extends { type: "flag" }
      ? boolean
      : Option extends { type: "file" }
        ? Attachment
        : string;

/** The values of a command's options. A required text is empty if an older client sent none; any other option may be missing. */
export type Given<Leaf> = {
  [Name in keyof OptionsOf<Leaf>]: OptionsOf<Leaf>[Name] extends { type: "text"; required: true; choices?: never }
    ? string
    : GivenAs<OptionsOf<Leaf>[Name]> | undefined;
};

/** The names of the options with autocomplete. */
export type CompletingIn<Leaf> = {
  [Name in keyof OptionsOf<Leaf> & string]: OptionsOf<Leaf>[Name] extends { completes: true } ? Name : never;
}[keyof OptionsOf<Leaf> & string];
