// What people read of a channel's settings. The values are texts already; their rules are in src/channel.

/** A setting as it is told: null is "nothing set". */
export interface ShownSetting {
  key: string;
  text: string | null;
  source: "here" | "parent" | "default";
}

const SOURCES = { here: "set here", parent: "from the parent channel", default: "default" } as const;
/** A prompt may be long, and all settings go into one message. */
const SHOWN_CODE_POINTS = 80;

/** All settings, one line each: what holds, and where it comes from. */
export const settingsText = (settings: readonly ShownSetting[]): string => settings.map(settingLine).join("\n");

/** What holds after a change. */
export const settingChangedText = (setting: ShownSetting): string => `Now it holds: ${settingLine(setting)}`;

const settingLine = ({ key, text, source }: ShownSetting): string => `\`${key}\`: ${shown(text)} (${SOURCES[source]})`;

function shown(text: string | null): string {
  if (text === null) return "not set";
  const line = text.replace(/\s+/g, " ").replaceAll("`", "'");
  const letters = [...line];
  return `\`${letters.length > SHOWN_CODE_POINTS ? `${letters.slice(0, SHOWN_CODE_POINTS - 1).join("")}…` : line}\``;
}
