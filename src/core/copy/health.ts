// What the Worker's own pages say: the page at `/`, and the warnings of `/health`.

/** Writes the page at `/`. `problems`: what is missing or wrong in the configuration; each names its variable. */
export function homeText(problems: readonly string[]): string {
  if (problems.length === 0)
    return "Parley is running here and is set up. Use /chat in a Discord server that has it.\nIf it doesn't answer there, run `npm run doctor` on the computer that it was deployed from.\n";
  const list = problems.map((problem) => `- ${problem}`).join("\n");
  return `Parley is running here but is not set up yet:\n${list}\nRun \`npm run setup\` on the computer that it was deployed from.\n`;
}

/** The warnings of `/health`, each with what to do. */
export const healthWarnings = {
  openWithoutLimit: (variable: string) =>
    `Anyone can spend your money: ${variable} lets strangers in, and no limit in dollars can stop them. Set MAX_USD_PER_DAY.`,
  unpricedModels: (models: readonly string[]) =>
    `Models without a known price: ${models.join(", ")}. A limit in dollars does not cover them. Set \`price\` in MODELS, or a limit of tokens.`,
  unreadFields: (fields: readonly string[]) =>
    `Nothing reads ${fields.join(", ")}. Check the spelling: the fields are listed in src/config/README.md.`,
  sameIds: (ids: readonly string[]) =>
    `MODELS has more than one entry with the same id: ${ids.join(", ")}. Only the first of them can be chosen. Give each its own \`id\`.`,
  unusedUsers: "ALLOWED_USERS has no effect: set VISITORS=listed.",
  noApplicationId:
    "DISCORD_APPLICATION_ID is not a number. Set it to the Application ID under General Information in the Developer Portal.",
  noOwner: "No one owns the bot: set OWNER_IDS, or DISCORD_BOT_TOKEN.",
  tokenRefused: "Discord refuses DISCORD_BOT_TOKEN. Run `npm run setup` again with the bot's newest token.",
  keyRefused: (host: string) => `${host} refuses the model's key. Run \`npm run setup -- --new-key\` to replace it.`,
};
