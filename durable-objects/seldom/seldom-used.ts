// Everything that people do in a channel besides asking and stopping: a separate module, loaded when it is first needed.

export { deleteTurn } from "../operations/delete-turn.ts";
export { askAgain } from "../operations/retry.ts";
export { cancelReminder, listReminders } from "../reminders/reminders.ts";
export { changeDeliberateMode } from "../settings/change-deliberate.ts";
export { forgetPerson, resetConversation } from "../upkeep/forget.ts";
export { readSummary, requestCompaction } from "../upkeep/summary-on-demand.ts";
export { aboutPerson, exportPerson } from "./about-person.ts";
export { leaveServer, readOrigin } from "./place-ends.ts";
export { listTraces, readStatus, readTrace } from "./reports.ts";
export { changeHere, changePersonasHere, checkHere, explainHere } from "./settings-here.ts";
export { listTools, registryNow } from "./tool-listing.ts";
