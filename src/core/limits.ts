// The numbers that can't be configured, each with its unit and its reason. Configurable ones: src/config.ts.

/** Discord never truncates: it refuses a longer `content`. It counts Unicode code points. */
export const MESSAGE_CODE_POINTS = 2000;
/** Discord's limit for a string option, so no longer text can come from Discord. */
export const QUESTION_CODE_POINTS = 6000;
/** The most bytes of one file attached to a message: Discord's limit unless it names another. */
export const MESSAGE_FILE_BYTES = 10 * 1_048_576;
/**
 * How many files tools and models may make for one reply, and their bytes: Discord takes ten files of 10 MiB with a message, and one slot
 * is reserved for the whole answer as a file.
 */
export const MAX_REPLY_FILES = 9;
export const MAX_REPLY_FILE_BYTES = MESSAGE_FILE_BYTES;
/** Remote servers that people may add to one server: each costs a request when its list is read, and space in every prompt. */
export const MAX_ADDED_SERVERS = 5;
/** The tools of one turn: with more, OpenAI and others refuse the whole request. */
export const MAX_OFFERED_TOOLS = 128;
/** How far up a chain of replies a question still brings the earlier messages along. */
export const MAX_REPLY_HOPS = 10;
/** Messages of one answer; a longer answer is attached as a file. The default of the `max_messages` setting. */
export const MAX_MESSAGES = 5;
/** Messages of an answer that is longer than that where Discord accepts no file: 50,000 characters. */
export const MAX_SPREAD_MESSAGES = 25;
/** Messages of one reply where a person brought the app along: Discord allows five followups there. */
export const MAX_GUEST_MESSAGES = 6;
/** The most bytes of a question's text files, all together, that a model is shown. */
export const INLINED_TEXT_BYTES = 65_536;
/** The bytes of a question's sounds that are transcribed (providers take 25 MB), the time for it, and the characters kept of the result. */
export const SOUND_BYTES = 25_000_000;
export const SOUNDS_LIMIT_MS = 60_000;
export const MAX_HEARD_CHARS = 12_000;
/** The time limit for reading all files of a question. */
export const ATTACHMENTS_LIMIT_MS = 30_000;

/** An interaction token ends 15 minutes after the interaction (Discord). */
export const TOKEN_LIFE_MS = 15 * 60_000;
/**
 * The age of a token at which we ask for a new one, unless the bot's own token can edit the reply: the person needs time to see and click
 * the button.
 */
export const TOKEN_RENEWAL_MS = TOKEN_LIFE_MS - 2 * 60_000;
/**
 * After Discord refuses us access, nothing starts in the channel for this long: each refusal counts toward a ban of our
 * address.
 */
export const SILENCE_AFTER_REFUSAL_MS = 15 * 60_000;
/** Discord remembers a message's nonce for a few minutes; a create may be repeated only for that long. */
export const NONCE_LIFE_MS = 2 * 60_000;
/**
 * For this long after the acknowledgement, error 10015 may be a race within Discord; later it means that the reply is
 * gone.
 */
export const ACKNOWLEDGEMENT_RACE_MS = 10_000;

/** Time between two edits of a reply: more edits would look no better and would use up Discord's rate limit. */
export const EDIT_GAP_MS = 1200;
/** The same with the bot's own token: a channel's edits share about 5 per 5 s, as observed, and several replies may need them. */
export const BOT_EDIT_GAP_MS = 1500;
/**
 * Requests per window, as observed on webhook routes; in a channel each kind of request has its own window. Discord's headers reveal this
 * limit only afterward.
 */
export const MAX_SENDS_PER_WINDOW = 5;
export const SEND_WINDOW_MS = 2000;
/** Time between any other two requests of one reply, which spreads them over that window. */
export const SEND_GAP_MS = 450;
/** The shortest time between two updates of a waiting person's queue position. */
export const QUEUE_EDIT_GAP_MS = 5000;
/** An answer that takes longer is followed by a message that pings its asker (`ping_when_done`): until then people keep watching. */
export const PING_AFTER_MS = 60_000;
/** The longest that the first words are collected, so that the first edit shows the start of a sentence and not a letter. */
export const FIRST_EDIT_GRACE_MS = 150;
/**
 * This many characters already show the start of a sentence, so only the shorter wait below applies. An answer that is complete within that
 * wait needs only one edit.
 */
export const FIRST_EDIT_CHARS = 16;
export const SHORT_EDIT_GRACE_MS = 40;

/** Local workerd drops a busy object 70 s after its last event; 7 s also puts recovery within 10 s of a restart. */
export const HEARTBEAT_MS = 7000;
/** An alarm is never set nearer than this. */
export const MIN_ALARM_DELAY_MS = 50;
/** Overdue work has already had its alarm: its next one comes no sooner than this, so that a bug in a deadline can't become a hot loop. */
export const OVERDUE_ALARM_DELAY_MS = 1000;
/** A turn that still runs this long after its stop, its kill or its deadline is taken from whoever runs it. */
export const OVERDUE_TURN_MS = 10_000;

/** At this iteration the turn warns that it is taking longer than usual. */
export const SOFT_WARN_ITERATION_THRESHOLD = 20;
/** The wait before a soft warning that no one could see is tried again. */
export const SOFT_WARN_RETRY_MS = 60_000;
/** The most transcript rows in a request, newest first. */
export const MAX_TRANSCRIPT_ROWS = 60;
/** The most estimated transcript tokens in a request, unless the model's own window is known to be smaller. */
export const MAX_TRANSCRIPT_TOKENS = 16_000;
/** Characters of one overheard message of the channel, and the estimated tokens of all of them. */
export const OVERHEARD_CHARS = 600;
export const OVERHEARD_TOKENS = 2000;
/** A turn waits this long to read the channel's messages, then begins without those that it doesn't have. */
export const OVERHEARD_LIMIT_MS = 1500;
/** Characters of a thread's title and first message. */
export const THREAD_START_CHARS = 2000;
/** The transcript's share of a model's window; the rest is for the prompt, the tools and the answer. */
export const TRANSCRIPT_SHARE = 0.6;
/**
 * The text and the calls of one answer, in UTF-8. No one reads more, and the answer is one row, which must stay below
 * Cloudflare's 2 MB per row even when it is escaped.
 */
export const MAX_ANSWER_BYTES = 256 * 1024;
/** What one call counts in addition to its own texts: its frame in a request, and the result that answers it. */
export const CALL_FRAME_BYTES = 100;
/** How much reasoning of one step is kept for the thought log, which shows less; it is stored with the turn. */
export const MAX_REASONING_BYTES = 64 * 1024;
/** The provider's own parts of one answer: signatures and reasoning, sent back with it. */
export const MAX_NATIVE_BYTES = 256 * 1024;
/** The quotes and addresses (code units) that joining messages may add to a turn's row; beyond that they wait for their own turn. */
export const MAX_JOINED_CHARS = 100_000;
/** The most calls that run in one answer, and in one turn: each may cost a request, a row and space in every later request. */
export const MAX_CALLS_PER_ANSWER = 32;
export const MAX_CALLS_PER_TURN = 200;
/** The most read-only calls of one answer that run in parallel. */
export const MAX_PARALLEL_CALLS = 4;
/** Retries after an empty answer of a model, and the wait before each. */
export const MAX_EMPTY_RETRIES = 2;
export const EMPTY_RETRY_DELAY_MS = 1000;
/** How many finished turns and how many messages are kept; older rows are pruned in batches. */
export const KEPT_TURNS = 200;
export const KEPT_MESSAGES = 1000;
/**
 * Refused questions, and answers to clicks and commands: kept for repeated deliveries, which come soon. The first number also limits turns of
 * tasks and reminders that ended silently. With this few left, a pruning pass that just finished need not start over.
 */
export const KEPT_REFUSED = 50;
export const KEPT_ANSWERS = 200;
/** Rows beyond the kept ones before pruning begins, so that it is rare. */
export const PRUNING_SLACK = 100;
/** Rows deleted per batch, so that no alarm takes long, and the wait before the next batch. */
export const PRUNING_BATCH = 200;
export const PRUNING_DELAY_MS = 60_000;

/** The most hours that /catch-up looks back (a week), the most messages that it reads, and the most estimated tokens that a model gets. */
export const CATCH_UP_HOURS = 168;
export const CATCH_UP_MESSAGES = 200;
export const CATCH_UP_TOKENS = 12_000;

/** A persona's name becomes a webhook's, which has at most 80 characters (Discord); its prompt, in UTF-16 units, is part of every request. */
export const PERSONA_NAME_CHARS = 80;
export const PERSONA_PROMPT_CHARS = 4000;
/** The longest phrase and pattern of a trigger, in code points: longer ones are whole sentences, and cost time with each message. */
export const MAX_PHRASE_CHARS = 40;
export const MAX_PATTERN_CHARS = 120;
/** The most texts in a channel's long-term memory, and the most characters of one: more would be a transcript, not a memory. */
export const MAX_MEMORIES = 500;
export const MEMORY_CHARS = 500;
/** The most characters of one fact about a person: all their facts come with each of their questions. */
export const OWN_FACT_CHARS = 300;
/** The short-term memory is part of every prompt, so each of its characters is paid for in every turn. */
export const NOTES_CHARS = 2000;

/** Pending reminders of one person and of a channel (all may fire in one alarm), and the characters of one. */
export const MAX_REMINDERS_PER_USER = 20;
export const MAX_REMINDERS = 100;
export const REMINDER_CHARS = 500;
/** How many of a person's reminders may be recurring: each costs a model call every time. */
export const MAX_TASKS_PER_USER = 5;
/** The shortest time ahead for a reminder. A chain of shorter ones would be a loop that no one asked for. */
export const MIN_REMINDER_MS = 60_000;
/** The longest: until the same day next year, which a leap day, winter time and a later hour can make this long. */
export const REMINDER_HORIZON_MS = 367 * 86_400_000;
/** How long a fired reminder is kept in case a later life repeats the call that set it. */
export const FIRED_REMINDER_LIFE_MS = 86_400_000;

/** After this many takeovers without progress, or in all, a turn is ended instead of resumed. */
export const MAX_TAKEOVERS_WITHOUT_PROGRESS = 3;
export const MAX_TAKEOVERS = 8;
