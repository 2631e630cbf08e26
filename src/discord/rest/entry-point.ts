// The command that opens an application's Activity. Discord creates one, "Launch", as soon as Activities are switched on for the application,
// and refuses to overwrite all commands without it (docs: interactions/application-commands, "Entry Point Commands"; code 50240).

const PRIMARY_ENTRY_POINT = 4;
/** The fields of a command that a request may set; Discord's own list has more. */
const SAID = [
  ...["id", "type", "name", "name_localizations", "description", "description_localizations"],
  ...["default_member_permissions", "contexts", "integration_types", "handler"],
];

/** Discord's code for an overwrite without that command. */
export const LACKS_ENTRY_POINT = 50240;

/** Whether this registered command opens an Activity. It belongs to Discord or the owner, and is kept next to ours. */
export const isEntryPoint = (command: unknown): command is Record<string, unknown> =>
  typeof command === "object" && command !== null && "type" in command && command.type === PRIMARY_ENTRY_POINT;

/** Returns those among the registered commands, in the form in which an overwrite must repeat them. An application has at most one. */
export const entryPointsIn = (registered: unknown): object[] =>
  (Array.isArray(registered) ? registered : [])
    .filter(isEntryPoint)
    .map((one) => Object.fromEntries(SAID.flatMap((field) => (one[field] == null ? [] : [[field, one[field]]]))));
