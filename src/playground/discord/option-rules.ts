// What a person may enter into the options of a command: Discord's client enforces what was registered, so no other value reaches the
// application (docs: interactions/application-commands, "Application Command Option Structure").
import type { OptionValue } from "./acts.ts";

interface Registered {
  name: string;
  required?: boolean;
  max_length?: number;
  min_value?: number;
  max_value?: number;
  choices?: { value: unknown }[];
  options?: Registered[];
}

/**
 * Returns why the client does not send these values, or null. `command`: the registered command. Without one, any value is allowed.
 */
export function refuseOptions(
  command: Record<string, unknown> | undefined,
  subcommand: string | undefined,
  given: Readonly<Record<string, OptionValue>>,
): string | null {
  if (!command) return null;
  const { options = [] } = command as unknown as Registered;
  const known = subcommand === undefined ? options : options.find(({ name }) => name === subcommand)?.options;
  for (const option of known ?? []) {
    const refusal = refuseValue(option, given[option.name]);
    if (refusal !== null) return `${option.name}: ${refusal}`;
  }
  return null;
}

function refuseValue(option: Registered, value: OptionValue | undefined): string | null {
  const { required, max_length: longest, min_value: least, max_value: most, choices } = option;
  if (value === undefined) return required ? "this option is required." : null;
  if (longest !== undefined && typeof value === "string" && [...value].length > longest)
    return `it may have at most ${longest} characters.`;
  if (least !== undefined && typeof value === "number" && value < least) return `it must be at least ${least}.`;
  if (most !== undefined && typeof value === "number" && value > most) return `it must be at most ${most}.`;
  if (choices && !choices.some((choice) => choice.value === value)) return "it must be one of the choices.";
  return null;
}
