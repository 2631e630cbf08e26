// The numbers that are not configuration, each with its unit and its reason. Configurable ones: src/config.ts.

/** Discord cuts nothing: a longer `content` is refused. It counts Unicode code points. */
export const MESSAGE_CODE_POINTS = 2000;
/** Discord's own bound of a string option; a longer text can only come from something else than Discord. */
export const QUESTION_CODE_POINTS = 6000;
/** Parts of one answer shown as messages; a longer answer is attached as a file. The `max_messages` setting's default. */
export const MAX_MESSAGES = 5;
/** Messages of one reply where a person brought the application along: Discord allows it five followups. */
export const MAX_GUEST_MESSAGES = 6;
/** Of the text files that come with a question, what a model is shown of all of them together. */
export const INLINED_TEXT_BYTES = 65_536;
/** All files of a question are read within this. */
export const ATTACHMENTS_LIMIT_MS = 30_000;

/** An interaction token dies 15 minutes after the interaction (Discord). */
export const TOKEN_LIFE_MS = 15 * 60_000;
/** So long before its end at the latest people are asked for a new token: time enough to press a button, and to be told so. */
export const TOKEN_RENEWAL_MS = TOKEN_LIFE_MS - 2 * 60_000;
/** Where Discord says that we may not speak, nothing is begun for so long: each refusal counts towards a ban of our address. */
export const SILENCE_AFTER_REFUSAL_MS = 15 * 60_000;
/** Discord knows a message's nonce for a few minutes; only within them may its creation be repeated. */
export const NONCE_LIFE_MS = 2 * 60_000;
/** For so long after the acknowledgement a 10015 may be Discord's own race; later it means that the reply is gone. */
export const ACKNOWLEDGEMENT_RACE_MS = 10_000;

/** Time between two edits of a reply: faster gains nothing to the eye and spends Discord's bucket. */
export const EDIT_GAP_MS = 1200;
/** The bucket seen on webhook routes, which their headers tell only afterwards: so many requests in so long, and no more. */
export const MAX_SENDS_PER_WINDOW = 5;
export const SEND_WINDOW_MS = 2000;
/** Time between any other two requests of one reply, which spreads them over that window. */
export const SEND_GAP_MS = 450;
/** A waiting person's place changes at most this often. */
export const QUEUE_EDIT_GAP_MS = 5000;
/** How long the first words may be gathered, so that the first edit shows a sentence's start rather than a letter. */
export const FIRST_EDIT_GRACE_MS = 150;

/** Local workerd drops a busy object 70 s after its last event; 7 s also puts recovery within 10 s of a restart. */
export const HEARTBEAT_MS = 7000;
/** An alarm is never set nearer than this. */
export const MIN_ALARM_DELAY_MS = 50;
/** What is overdue has had its alarm: the next one for it comes no sooner, so that a fault in a deadline can't become a hot loop. */
export const OVERDUE_ALARM_DELAY_MS = 1000;
/** A turn that goes on for so long after its stop, its kill or its deadline is taken from whoever runs it. */
export const OVERDUE_TURN_MS = 10_000;

/** The turn warns at this iteration that it takes longer than usual. */
export const SOFT_WARN_ITERATION_THRESHOLD = 20;
/** Transcript rows that a request may carry, newest first. */
export const MAX_TRANSCRIPT_ROWS = 60;
/** Estimated tokens of transcript that a request may carry, where the model's own window is not known to be smaller. */
export const MAX_TRANSCRIPT_TOKENS = 16_000;
/** Share of a model's window that the transcript may fill; the rest is for the prompt, the tools and the answer. */
export const TRANSCRIPT_SHARE = 0.6;
/** Read-only calls of one answer that run together. */
export const MAX_PARALLEL_CALLS = 4;
/** Tries of a model that gave an empty answer, after the first. */
export const MAX_EMPTY_RETRIES = 2;
export const EMPTY_RETRY_DELAY_MS = 1000;
/** What is kept of finished work; beyond it, old rows are pruned in batches. */
export const KEPT_TURNS = 200;
export const KEPT_MESSAGES = 1000;
/** Rows beyond the kept ones before pruning begins, so that it is rare. */
export const PRUNING_SLACK = 100;
/** Rows deleted at once, so that no alarm takes long; a full batch is followed by another. */
export const PRUNING_BATCH = 200;
export const PRUNING_DELAY_MS = 60_000;

/** Texts in a channel's long-term memory, and the characters of one: more would be a transcript, not a memory. */
export const MAX_MEMORIES = 500;
export const MEMORY_CHARS = 500;
/** The short-term memory stands in every prompt, so each character of it is paid for in every turn. */
export const NOTES_CHARS = 2000;

/** Reminders that may be pending: one person's, and a channel's, which is what one wake may have to start. */
export const MAX_REMINDERS_PER_USER = 20;
export const MAX_REMINDERS = 100;
export const REMINDER_CHARS = 500;
/** How far ahead a reminder may be set. */
export const REMINDER_HORIZON_MS = 366 * 86_400_000;
/** A reminder that fired is known for so long, in case the call that set it is repeated by a later life. */
export const FIRED_REMINDER_LIFE_MS = 86_400_000;

/** Lives without progress, and lives in all, after which a turn is ended instead of resumed. */
export const MAX_TAKEOVERS_WITHOUT_PROGRESS = 3;
export const MAX_TAKEOVERS = 8;
