// The numbers that can't be configured, each with its unit and its reason. Configurable ones: src/config.ts.

/** Discord never truncates: it refuses a longer `content`. It counts Unicode code points. */
export const MESSAGE_CODE_POINTS = 2000;
/** Discord's limit of a string option. A longer text can't come from Discord. */
export const QUESTION_CODE_POINTS = 6000;
/** The most bytes of a file that comes with a message: Discord's limit where it names no other. */
export const MESSAGE_FILE_BYTES = 10 * 1_048_576;
/**
 * The files that tools and models make for one reply, and their bytes: Discord takes ten files of 10 MiB with a message, and one place is
 * for the whole answer as a file.
 */
export const MAX_REPLY_FILES = 9;
export const MAX_REPLY_FILE_BYTES = MESSAGE_FILE_BYTES;
/** Remote servers that people add to one server: each costs a request when its list is read, and a place in every prompt. */
export const MAX_ADDED_SERVERS = 5;
/** The tools of one turn: OpenAI and others refuse a whole request with more. */
export const MAX_OFFERED_TOOLS = 128;
/** The messages that a question may reply to, one after the other, and still bring along. */
export const MAX_REPLY_HOPS = 10;
/** Messages of one answer; a longer answer is attached as a file. The default of the `max_messages` setting. */
export const MAX_MESSAGES = 5;
/** Messages of one answer that is too long for its messages where Discord accepts no file: 50,000 characters. */
export const MAX_SPREAD_MESSAGES = 25;
/** Messages of one reply where a person brought the app along: Discord allows it five followups. */
export const MAX_GUEST_MESSAGES = 6;
/** The bytes that a model is shown of all text files of a question together. */
export const INLINED_TEXT_BYTES = 65_536;
/** The bytes of all sounds of a question that are listened to (providers take 25 MB), the time for it, and the characters of their words. */
export const SOUND_BYTES = 25_000_000;
export const SOUNDS_LIMIT_MS = 60_000;
export const MAX_HEARD_CHARS = 12_000;
/** All files of a question are read within this. */
export const ATTACHMENTS_LIMIT_MS = 30_000;

/** An interaction token ends 15 minutes after the interaction (Discord). */
export const TOKEN_LIFE_MS = 15 * 60_000;
/**
 * The age of a token at which we ask for a new one, unless the bot can edit: the person needs time to see and click the
 * button.
 */
export const TOKEN_RENEWAL_MS = TOKEN_LIFE_MS - 2 * 60_000;
/**
 * After Discord refuses us access, nothing starts in the channel for this long: each refusal counts toward a ban of our
 * address.
 */
export const SILENCE_AFTER_REFUSAL_MS = 15 * 60_000;
/** Discord remembers a message's nonce for a few minutes; a creation may be repeated only that long. */
export const NONCE_LIFE_MS = 2 * 60_000;
/**
 * For this long after the acknowledgement, an error 10015 may be Discord's own race; later it means that the reply is
 * gone.
 */
export const ACKNOWLEDGEMENT_RACE_MS = 10_000;

/** Time between two edits of a reply: more edits would not look better and use up Discord's rate limit. */
export const EDIT_GAP_MS = 1200;
/** The same with the bot's own token: a channel's edits share about 5 per 5 s, as observed, and several replies may be there. */
export const BOT_EDIT_GAP_MS = 1500;
/**
 * Requests per window, as observed on webhook routes; in a channel each kind of request has such a window. Discord's headers tell this limit
 * only afterward.
 */
export const MAX_SENDS_PER_WINDOW = 5;
export const SEND_WINDOW_MS = 2000;
/** Time between any other two requests of one reply, which spreads them over that window. */
export const SEND_GAP_MS = 450;
/** The least time between two updates of a waiting person's queue position. */
export const QUEUE_EDIT_GAP_MS = 5000;
/** An answer that takes longer is followed by a message that pings its asker (`ping_when_done`): until then people look on. */
export const PING_AFTER_MS = 60_000;
/** How long the first words are collected at most, so that the first edit shows the start of a sentence and not a letter. */
export const FIRST_EDIT_GRACE_MS = 150;
/**
 * This many characters show the start of a sentence, so only the shorter wait below applies. An answer that is complete within that wait
 * needs one edit.
 */
export const FIRST_EDIT_CHARS = 16;
export const SHORT_EDIT_GRACE_MS = 40;

/** Local workerd drops a busy object 70 s after its last event; 7 s also puts recovery within 10 s of a restart. */
export const HEARTBEAT_MS = 7000;
/** An alarm is never set nearer than this. */
export const MIN_ALARM_DELAY_MS = 50;
/** What is overdue has had its alarm: the next one for it comes no sooner, so that a fault in a deadline can't become a hot loop. */
export const OVERDUE_ALARM_DELAY_MS = 1000;
/** A turn that still runs this long after its stop, its kill or its deadline is taken from whoever runs it. */
export const OVERDUE_TURN_MS = 10_000;

/** The turn warns at this iteration that it takes longer than usual. */
export const SOFT_WARN_ITERATION_THRESHOLD = 20;
/** When a soft warning that no one could see is tried again. */
export const SOFT_WARN_RETRY_MS = 60_000;
/** The most transcript rows in a request, newest first. */
export const MAX_TRANSCRIPT_ROWS = 60;
/** The most estimated transcript tokens in a request, unless the model's own window is known to be smaller. */
export const MAX_TRANSCRIPT_TOKENS = 16_000;
/** Characters of one message of the channel that is overheard, and the estimated tokens of all of them. */
export const OVERHEARD_CHARS = 600;
export const OVERHEARD_TOKENS = 2000;
/** A turn begins without what it could not overhear by then. */
export const OVERHEARD_LIMIT_MS = 1500;
/** Characters of a thread's title and first message. */
export const THREAD_START_CHARS = 2000;
/** The share of a model's window for the transcript; the rest is for the prompt, the tools and the answer. */
export const TRANSCRIPT_SHARE = 0.6;
/**
 * The text and the calls of one answer, in UTF-8. No one reads more, and the answer is one row, which must stay below the
 * 2 MB of a row (Cloudflare) also when it is escaped.
 */
export const MAX_ANSWER_BYTES = 256 * 1024;
/** What one call counts beside its own texts: its frame in a request, and the result that answers it. */
export const CALL_FRAME_BYTES = 100;
/** The reasoning of one step that is kept for the thought log, which shows less; it is stored with the turn. */
export const MAX_REASONING_BYTES = 64 * 1024;
/** The provider's own parts of one answer: signatures and reasoning, sent back with it. */
export const MAX_NATIVE_BYTES = 256 * 1024;
/** What messages that join a turn bring into its row, quotes and addresses (code units): beyond it they wait for a turn of their own. */
export const MAX_JOINED_CHARS = 100_000;
/** Calls of one answer that run, and of one turn: each may cost a request, a row and a place in every later request. */
export const MAX_CALLS_PER_ANSWER = 32;
export const MAX_CALLS_PER_TURN = 200;
/** Read-only calls of one answer that run together. */
export const MAX_PARALLEL_CALLS = 4;
/** Retries after an empty answer of a model, and the wait before each. */
export const MAX_EMPTY_RETRIES = 2;
export const EMPTY_RETRY_DELAY_MS = 1000;
/** How many turns and messages of finished work are kept; older rows are pruned in batches. */
export const KEPT_TURNS = 200;
export const KEPT_MESSAGES = 1000;
/**
 * Refused questions and answers to clicks and commands: kept for their repetitions, which come soon. As many turns of tasks and reminders of
 * which nobody was told. With so few, pruning that has just ended has not to begin again.
 */
export const KEPT_REFUSED = 50;
export const KEPT_ANSWERS = 200;
/** Rows beyond the kept ones before pruning begins, so that it is rare. */
export const PRUNING_SLACK = 100;
/** Rows deleted at once, so that no alarm takes long, and the wait before the next batch. */
export const PRUNING_BATCH = 200;
export const PRUNING_DELAY_MS = 60_000;

/** The most hours that /catch-up looks back (a week) and messages that it reads, and the estimated tokens of what a model gets of them. */
export const CATCH_UP_HOURS = 168;
export const CATCH_UP_MESSAGES = 200;
export const CATCH_UP_TOKENS = 12_000;

/** A persona's name is a webhook's, which has at most 80 characters (Discord); its prompt, in UTF-16 units, is part of every request. */
export const PERSONA_NAME_CHARS = 80;
export const PERSONA_PROMPT_CHARS = 4000;
/** The longest phrase and pattern of a trigger, in code points: longer ones are sentences, and cost each message time. */
export const MAX_PHRASE_CHARS = 40;
export const MAX_PATTERN_CHARS = 120;
/** Texts in a channel's long-term memory, and the characters of one: more would be a transcript, not a memory. */
export const MAX_MEMORIES = 500;
export const MEMORY_CHARS = 500;
/** The most characters of one fact about a person: all of a person's facts come with each of their questions. */
export const OWN_FACT_CHARS = 300;
/** The short-term memory is part of every prompt, so each of its characters is paid for in every turn. */
export const NOTES_CHARS = 2000;

/** Pending reminders of one person and of a channel (all may fire in one alarm), and the characters of one. */
export const MAX_REMINDERS_PER_USER = 20;
export const MAX_REMINDERS = 100;
export const REMINDER_CHARS = 500;
/** How many of a person's reminders may come again and again: each costs a model call every time. */
export const MAX_TASKS_PER_USER = 5;
/** How far ahead a reminder must and may be set. A chain of shorter ones would be a loop that no one has asked for. */
export const MIN_REMINDER_MS = 60_000;
/** The same day of the next year, which a leap day, winter time and a later hour may make as long. */
export const REMINDER_HORIZON_MS = 367 * 86_400_000;
/** How long a fired reminder is kept, in case a later life repeats the call that set it. */
export const FIRED_REMINDER_LIFE_MS = 86_400_000;

/** Takeovers without progress, and takeovers in all, after which a turn is ended instead of resumed. */
export const MAX_TAKEOVERS_WITHOUT_PROGRESS = 3;
export const MAX_TAKEOVERS = 8;
