// The gateway's numbers, each with its unit and its reason. "Discord" alone means its docs, events/gateway.

/** For `GET /gateway/bot`, and for the WebSocket's handshake (@discordjs/ws: 30 s). */
export const OPENING_LIMIT_MS = 30_000;
/** From the open socket to Hello. Other clients wait 30 or 60 s, but a socket that is silent for 15 s will stay so. */
export const HELLO_LIMIT_MS = 15_000;
/** From Identify to READY, and from Resume or the last replayed event to RESUMED (@discordjs/ws: 15 s). */
export const READY_LIMIT_MS = 20_000;
/** A connected socket without any frame for this many heartbeat intervals is dead: even an idle one gets acknowledgements. */
export const SILENT_INTERVALS = 1.5;
/** A shorter heartbeat interval is not accepted: a wrong one must not make us send without a pause. */
export const MIN_INTERVAL_MS = 1000;
/** The object's alarm is never further away while there is work: workerd drops an object 70 s after its last event. */
export const MAX_ALARM_DELAY_MS = 45_000;
/** An alarm that is overdue by this much will not come. */
export const LOST_ALARM_MS = 10_000;
/** The alarm is moved only if it becomes earlier by at least this much, because moving it costs a row. */
export const ALARM_GAIN_MS = 5000;
/** Corrections of the clock by less than this are normal. */
export const MAX_SET_BACK_MS = 5000;
/** How soon the next life begins after a restart. */
export const RESTART_DELAY_MS = 1000;

/** The wait after the n-th attempt is this × 2ⁿ, ± 20 %. */
export const BACKOFF_MS = 1000;
/** Less than QUESTION_LIFE_MS, so that what is asked during the longest wait can still be answered after it. */
export const MAX_BACKOFF_MS = 240_000;
/** A connection counts as healthy after this time. Only then does the backoff start over. */
export const HEALTHY_AFTER_MS = 60_000;
/** After an invalid session: a random wait of 1 to 5 s (Discord). */
export const INVALID_WAIT_MS = 1000;
export const INVALID_SPREAD_MS = 4000;
/** After 4008, more than 120 sends in 60 s (Discord): until that window is over. */
export const RATE_LIMITED_WAIT_MS = 60_000;
/** How many attempts use the session's own address. Later ones use the general address, which finds the session less often. */
export const RESUME_URL_ATTEMPTS = 3;
/** A session that was not resumed after this many attempts never will be (openclaw#20668). */
export const MAX_RESUME_TRIES = 3;
/** After this many sends in a minute, heartbeats that Discord asks for are left out. Two minutes may adjoin, and 120 sends in 60 s are too many. */
export const MAX_SENDS_PER_MINUTE = 55;
export const SENDS_WINDOW_MS = 60_000;

/** One Identify in 5 s (Discord: `max_concurrency` 1), and a little more, because it counts by its own clock. */
export const IDENTIFY_GAP_MS = 5500;
/** Our own budget. Discord allows 1,000 a day; above that it resets the token and writes to the owner. */
export const MAX_IDENTIFIES_PER_DAY = 200;
/** No Identify while Discord counts fewer than these as remaining. The rest is for people who start the bot by hand. */
export const RESERVED_IDENTIFIES = 50;
/** When a spent budget is checked again. */
export const SPENT_BUDGET_WAIT_MS = 3_600_000;

/** Older questions are not answered after a gap, and leave the outbox. */
export const QUESTION_LIFE_MS = 300_000;
/** A forward without an answer for this long no longer holds back what is stored as received. */
export const FORWARD_PATIENCE_MS = 10_000;
/** A forward without an answer for this long has failed. */
export const FORWARD_LIMIT_MS = 30_000;
/** A question that reaches its channel this long after it was asked is late: it isn't a follow-up to what is running there by then. */
export const LATE_MS = 10_000;
/** No gap delays a question by this long. If its id says so, the question is new, and the id or our clock is wrong. */
export const NEVER_LATE_MS = 3_600_000;
/** Between two attempts of a forward in the outbox; doubled with each, up to the longest. */
export const RETRY_MS = 5000;
export const MAX_RETRY_MS = 40_000;

/** How many channels are read after a gap: those from which something was forwarded last. Each costs a request. */
export const MAX_CAUGHT_UP_CHANNELS = 20;
/** Messages per read (Discord: at most 100), and reads per channel: together more than people write there within QUESTION_LIFE_MS. */
export const PAGE_MESSAGES = 100;
export const MAX_PAGES = 10;
/** Between the first two attempts of a read; doubled with each, up to QUESTION_LIFE_MS. */
export const READ_RETRY_MS = 5000;
/** How long the answer about a server's managed role is trusted, found or not. */
export const ROLE_LIFE_MS = 3_600_000;

/** How long, and how many, questions and channels are remembered: for edits, deletions, threads and gaps. */
export const MEMORY_LIFE_MS = 86_400_000;
export const MAX_REMEMBERED = 1000;
/** How many deletions are remembered, in case their message comes after them. Discord deletes at most 100 messages at once. */
export const MAX_DELETED = 200;
/** A known channel's row is rewritten after this time, instead of at every question. */
export const CHANNEL_ROW_MS = 3_600_000;
