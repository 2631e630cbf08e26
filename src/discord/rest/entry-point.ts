// The command that opens an application's Activity. Discord makes one, "Launch", as soon as Activities are switched on for the application,
// and refuses a whole overwrite that lacks it (docs: interactions/application-commands, "Entry Point Commands"; code 50240).

const PRIMARY_ENTRY_POINT = 4;
/** What a request may say of a command; Discord itself says more. */
const SAID = [
  ...["id", "type", "name", "name_localizations", "description", "description_localizations"],
  ...["default_member_permissions", "contexts", "integration_types", "handler"],
];

/** Discord's code for an overwrite without it. */
export const LACKS_ENTRY_POINT = 50240;

/** Is this registered command of that kind? It is Discord's or the owner's own, and stays beside ours. */
export const isEntryPoint = (command: unknown): command is Record<string, unknown> =>
  typeof command === "object" && command !== null && "type" in command && command.type === PRIMARY_ENTRY_POINT;

/** Those among the registered commands, as an overwrite has to repeat them. An application has one at most. */
export const entryPointsIn = (registered: unknown): object[] =>
  (Array.isArray(registered) ? registered : [])
    .filter(isEntryPoint)
    .map((one) => Object.fromEntries(SAID.flatMap((field) => (one[field] == null ? [] : [[field, one[field]]]))));
