// The words that ask for each tool in deliberate mode, in one table: a turn reads them without loading the tools, and it is easy to see
// which words two tools share. A tool may have its triggers in its own file instead. A tool without any is offered only for a channel's
// own triggers.
import { ASKING, DETERMINER } from "../../core/deliberate/asking-words.ts";
import type { ToolTriggers } from "../../toolkit/define/tool.ts";

const PICTURE = "(picture|image|illustration|drawing|painting|portrait|wallpaper|logo)";

/** The triggers by tool name. */
export const triggers = {
  add_reaction: {
    phrases: ["点个赞", "点赞", "リアクションして"],
    patterns: [
      `${ASKING}react (with|to (this|that|it|my|the|his|her|their|what))\\b`,
      "\\badd (a|an|some|the|your) (reaction|\\S{1,12} reaction)\\b",
      "\\b(give|leave) .{0,30}\\bthumbs[- ](up|down)\\b",
      "\\b(put|add|leave|drop) (a|an|some|the) (.{0,15}emoji|heart|star|[^a-z0-9 ]{1,8}) (on|to|under|below) .{0,30}\\b(message|post)\\b",
      "(^|[,.] |\\bbitte |\\bund )reagiere? (bitte |mal )?(mit|auf (diese|die|das|meine))\\b",
    ],
  },
  cancel_reminder: {
    patterns: [
      "\\b(cancel|delete|remove|stop|turn off|switch off|clear|dismiss) (all |of |my |our |the |that |this |both |every |last |next |first )*(reminders?|timers?|alarms?)\\b",
      "\\breminders?\\b.{0,20}\\b(cancel|delete|remove) (it|them|that)\\b",
      "\\b(lösche?|storniere|stoppe?|entferne) (bitte |alle |die |den |meine |meinen )*(erinnerung|erinnerungen|timer|wecker)\\b",
      "(取消|删除).{0,6}提醒|リマインダーを?(取り消|削除|キャンセル)|알림.{0,4}취소",
    ],
  },
  create_poll: {
    patterns: [
      "\\b(create|make|start|open|run|set up|post|launch|put up) (me |us |it )?(a|an|another) (quick |new |short |simple |anonymous )?(poll|vote|survey)\\b",
      "^poll:|\\blet's (vote|do a poll|have a poll|take a vote)\\b",
      "\\b(erstelle?|mache?|starte?) .{0,10}\\b(umfrage|abstimmung)\\b",
      "(发起|创建|开|做).{0,4}投票|(アンケート|投票)を(作|取|始)|투표.{0,4}(만들|시작)",
    ],
  },
  create_thread: {
    patterns: [
      `${ASKING}(create|make|open|start|spin up) (me |us )?(a|an|another) (new |separate |private |public )?thread\\b`,
      "\\b(move|take|put|continue|bring) .{0,30}\\b(to|in|into) (a|its own|another) (new |separate )?thread\\b",
      "\\b(eröffne|erstelle?|öffne|starte) .{0,15}\\bthread\\b",
      "(创建|新建|开).{0,4}(讨论串|子区)|スレッドを(作|立て)|스레드.{0,4}(만들|열어)",
    ],
  },
  fetch_url: {
    patterns: [
      "\\b(read|open|fetch|load|visit|check|summari[sz]e|sum up|tl;?dr|translate|explain|analy[sz]e|review|quote|what's|what is|what does|what do|who|lies|öffne|fass)\\b.*https?://",
      "https?://\\S+ .*\\b(what|who|summari[sz]e|tl;?dr|says?|read it|explain|zusammen)\\b",
      "\\b(fetch|open|read|visit|summari[sz]e) (the|this|that|my|your|his|her) (link|url|web ?page|website)\\b",
      "(总结|读|看看|打开|要約|読んで|開いて|요약|읽어).*https?://|https?://.*(总结|読んで|要約|요약)",
    ],
  },
  forget: {
    phrases: ["忘掉我", "忘记我", "忘れてください", "잊어 줘", "잊어줘"],
    patterns: [
      `${ASKING}forget (that |about )?(my|our|i|i'm|we|what (i|we)|everything|all (that|of|about))\\b`,
      "\\b(delete|erase|remove|wipe|clear) .{0,50}\\bfrom your (long-term )?(memory|memories)\\b",
      "\\b(delete|erase|remove|wipe|clear) (that|this|your|all your|these|those) (long-term )?(memory|memories)\\b",
      "(^|[,.] |\\bbitte )vergiss (bitte )?(meine|meinen|unsere|unseren|dass|alles|was ich)\\b",
    ],
  },
  generate_image: {
    patterns: [
      `${ASKING}(draw|paint|sketch) (me|us|a|an|another|some|two|three|my|our) `,
      `(^|[,:.!?] |\\b(please|you|and|now|just) )(generate|create|make|design|render) (me |us )?(a|an|another|some|two|three) .{0,9}\\b${PICTURE}`,
      `${ASKING}(generate|create|make) (me |us )?${PICTURE}s? (of|with|for|showing) `,
      "\\b(need|like) you to (draw|paint|sketch) ",
      "(^|\\b(bitte|kannst du) )(male|mal|zeichne) (bitte )?(mir |uns )?(ein|eine|einen) ",
      "\\bkannst du .{0,20}\\b(ein|eine|einen) .{0,24}\\b(malen|zeichnen)\\b",
      "\\b(erstelle|generiere|mach) (mir |uns |bitte )?(ein|eine) .{0,20}(bild|logo)\\b",
      "\\b(dessine|dibuja|disegna).{0,4} un",
      "(画|畫)(一|个|個|只|幅)|生成.{0,6}(图片|圖片|图像)|(絵|イラスト)を描|画像を(生成|作)|그림.{0,3}그려|이미지.{0,3}(생성|만들)",
    ],
  },
  get_current_time: {
    phrases: [
      "what time is it",
      "what time it is",
      "current time",
      "wie spät ist es",
      "qué hora es",
      "现在几点",
      "几点了",
      "今何時",
      "지금 몇 시",
      "지금 몇시",
    ],
    patterns: [
      "\\b(what's|whats|what is|tell me|give me) the (exact |local )?time([?!.,]| now\\b| right now\\b| here\\b| there\\b| in | at | over |$)",
      "\\b(what|which) (day|date|weekday|month|year) (is it|is today|is tomorrow|are we|do we have)\\b",
      "\\b(what's|whats|what is) (today's|tomorrow's|the current|the) date( today| tomorrow| now)?[?!. ]*$",
      "\\bhow late is it([?!.]| now\\b| here\\b| there\\b| over there\\b| in |$)",
      "\\bwie viel uhr\\b|\\b(welche|welcher|welches|welchen) (tag|datum|wochentag) (ist|haben)\\b",
      "\\bquelle heure est[- ]il\\b|\\bquel jour (est-on|sommes-nous)\\b",
      "今天(几号|星期几|周几)|今日は(何日|何曜日)|오늘 (며칠|무슨 요일)",
    ],
  },
  list_reminders: {
    phrases: ["列出我的提醒", "有哪些提醒"],
    patterns: [
      "\\b(list|show|check|what|which|any|read) (me |us |all |of |my |our |the |pending |upcoming |open |active )*(reminders|timers|alarms)\\b",
      "^(my |upcoming |pending |open |all )*reminders[?. ]*$",
      "\\bwelche (erinnerungen|timer|wecker) (habe|sind|gibt|laufen)\\b|\\b(zeige?|liste) .{0,12}\\b(erinnerungen|timer|wecker)\\b",
      "(查看|看看).{0,4}提醒|リマインダー.{0,4}(一覧|見せ|教え)|알림.{0,4}(목록|보여)",
    ],
  },
  pin_message: {
    phrases: ["置顶", "ピン留めして", "고정해 줘", "고정해줘"],
    patterns: [
      `${ASKING}pin (this|that|it|these|those|my|his|her|their)\\b`,
      `${ASKING}pin the .{0,20}(message|post|announcement|rules|link)\\b`,
      "\\b(pinne?|hefte) (bitte )?(die|diese|meine) .{0,20}\\b(an|nachricht)\\b",
    ],
  },
  read_recent_messages: {
    phrases: ["catch me up", "catch us up", "bring me up to speed", "was habe ich verpasst", "错过了什么"],
    patterns: [
      "\\bwhat('d| did| have) (i|we) miss(ed)?\\b",
      "\\b(summari[sz]e|recap|sum up|summary of|recap of|catch up on) (the |this |our |that |today's |all )*(last |recent |latest |few |whole |\\d|hundred )*( )?(chat|conversation|channel|discussion|messages|backlog)\\b",
      "\\b(read|look at|go through|check) (the |all )*(last|recent|latest|earlier) (\\d|few|hundred| )*messages\\b",
      "\\bwhat (have|has|did|are|were|was) (people|everyone|everybody|the others|folks)\\b.{0,20}\\b(talk|talking|discuss|discussing|saying|chatting)\\b",
      "\\bwhat (was|were|has been|got) (discussed|said|talked about|decided)\\b.{0,20}\\b(here|channel|chat|conversation)\\b",
      `${ASKING}scroll (up|back)\\b`,
      "\\b(read|go through|look through|check|scroll|skim)\\b.{0,20}\\b(chat|channel|message|conversation) (history|log|backlog)\\b",
      "\\bfass\\b.{0,20}\\b(chat|unterhaltung|gespräch|diskussion|nachrichten|verlauf)\\b",
      "(总结|看|读|翻).{0,6}聊天记录|(チャット|会話)を?(要約|まとめ)|대화.{0,4}요약",
    ],
  },
  recall: {
    phrases: ["覚えていますか", "覚えてる？"],
    patterns: [
      "\\bwhat (do|did|can) you (still )?(remember|recall) (about|of|from)\\b|\\bwhat do you (still )?know about (me|us|my|our|him|her|them|this channel)\\b",
      "\\b(do|can|did) you (still )?(remember|recall) (my|me|our|us|his|her|their|what (i|we)|when (i|we|my)|where (i|we))\\b",
      "\\bwhat did (i|we|he|she|they) (tell|teach) you\\b",
      `${ASKING}recall (what|my|our|the|everything|who|when|where)\\b`,
      "\\bwhat have you (memori[sz]ed|remembered|saved|stored|noted)\\b",
      "\\b(check|search|consult|show me|list|look in|look through) your (long-term )?(memory|memories)\\b",
      "\\b(is|are|what|what's|anything)\\b.{0,50}\\bin your (memory|memories)\\b",
      "\\bwas weißt du (noch )?(über|von) (mich|mir|uns)\\b|\\berinnerst du dich (noch )?an (mich|(mein|meine|meinen)|(unser|unsere|unseren))\\b",
      "(还记得|你记得).{0,8}(我|吗)",
    ],
  },
  remember: {
    phrases: [
      "note that down",
      "write that down",
      "note this down",
      "请记住",
      "记住我",
      "帮我记",
      "覚えておいて",
      "기억해 줘",
      "기억해줘",
    ],
    patterns: [
      `(${ASKING}|\\bfrom now on )remember (that )?(this|my|our|i|i'm|i've|we|we're|he|she|his|her|they|to (call|always|never|use|answer|speak))\\b`,
      `${ASKING}remember that (the|it|there)\\b`,
      "\\b(don't|do not|never) forget (that (i|we|my|our|he|she)|i'm|i am|i like|i have|my (name|birthday|address))\\b",
      `${ASKING}keep in mind\\b`,
      `${ASKING}memori[sz]e\\b`,
      "\\b(save|store|add|put|write|commit|keep) .{0,60}\\b(to|in|into) (your |your long-term |long-term )memory\\b",
      "\\bmerke? dir,? (bitte |mal )?(dass|(mein|meine|meinen)|(unser|unsere|unseren)|ich)\\b",
    ],
  },
  reveal_message_metadata: {
    patterns: [
      "\\b(when|what time) (was|were) .{0,40}\\bmessages?\\b|\\bwhen (was|were) (that|this|it) (posted|sent|said)\\b",
      "\\bwhen did .{1,40} (say|write|post|send) (that|this|it)( message)?[?!. ]*$",
      "\\bwho (sent|posted|wrote|said|edited) (that|this|the|these|those)( last| first)? (messages?|post)\\b|\\bwho (sent|posted|said) (that|this|it)[?!. ]*$",
      "\\btimestamps? (of|for|on) .{0,30}\\bmessages?\\b",
      "\\b(show|give|reveal|list|tell|get|what are|what is|what's)\\b.{0,20}\\bmessage('s)? (metadata|ids?|timestamps?)\\b",
      "\\bwann wurde .{0,30}\\bnachricht\\b|\\bwer hat (das|die nachricht) (geschrieben|geschickt|gepostet)\\b",
      "(什么时候|谁).{0,6}(发的|发了).{0,6}消息|このメッセージ.{0,4}(いつ|誰)",
    ],
  },
  roll_dice: {
    phrases: ["heads or tails", "掷骰子", "扔骰子", "抛硬币", "コイントス"],
    patterns: [
      "\\b\\d{1,3}[dw]\\d{1,4}\\b|^d\\d{1,3}( please)?[?!.]*$",
      "\\b(roll|throw|toss) (me |us )?(a |an |the |some |two |three |four |five |six |\\d |your |my )?(dice|die|d\\d{1,3})\\b",
      "\\b(flip|toss|throw) (a|the|that|my|your|some) coins?\\b",
      "\\b(give|pick|generate|choose|draw|roll|tell) (me |us )?(a |some )?random (number|integer)s?\\b|\\brandom (number|integer) (between|from)\\b",
      "\\broll (for (initiative|damage|perception|stealth)|initiative|to hit|damage|with advantage)\\b",
      "\\b(würfle|würfel) (bitte|mal|mir|für|um|einmal|zweimal|ein|eine|einen|zwei|drei|die|den|\\d)|\\bwirf (eine|die|ne|einen|den) (münze|würfel)\\b",
      "サイコロを?(振|ふ)|주사위.{0,6}(굴려|던져)",
    ],
  },
  set_reminder: {
    phrases: ["提醒我", "提醒一下", "叫我起床", "リマインド"],
    patterns: [
      "\\bremind (me|us|everyone|everybody|him|her|them|<@\\d+>) (to|in|at|on|about|tomorrow|tonight|today|every|next|when|after|before|later|again|this)\\b",
      `${ASKING}(set|create|make|add|start|give) (me |us |up |a |an |another |new |\\d|-|second |minute |hour | )*(reminder|alarm|timer|countdown)s?\\b`,
      `${ASKING}wake (me|us|him|her|them|everyone) (up )?(at|in|tomorrow|on|when|before|after)\\b`,
      `${ASKING}(ping|nudge|poke|notify|alert) (me|us|him|her|them|everyone) (in|at|tomorrow|tonight|on|when|every|next|later|after|before)\\b`,
      "(^|[,.] |\\bbitte |\\bund )erinnere? (mich|uns|alle)\\b|\\bkannst du (mich|uns) .{0,40}\\berinnern\\b|\\bstelle? .{0,15}\\b(timer|wecker|alarm)\\b",
      "(내일|오늘|분 ?(후|뒤)|아침|저녁|시에).{0,15}(알려|깨워) ?줘",
    ],
  },
  update_short_term_memory: {
    patterns: [
      "\\b(update|note|save|store|write|put|add|keep|change|clear)\\b.{0,40}\\bshort[- ]term memory\\b",
      "\\b(update|put|add|write|keep) .{0,30}\\byour notes\\b|\\bupdate your notes\\b",
      `${ASKING}keep (track of|notes|score|(a |the )?(running )?(summary|score|tally))\\b`,
      `${ASKING}track (the|our|my) (score|points|progress|turns|inventory)\\b`,
    ],
  },
  view_image: {
    files: [{ type: "image/", label: "an attached image" }],
    patterns: [
      `\\b(look|glance|peek) at (${DETERMINER}|\\S{1,32}'s) (profile )?(picture|pic|image|photo|screenshot|avatar|meme|drawing|banner)s?\\b`,
      `\\b(what's|whats|what is|what do you see|what can you see|what is written) (in|on) ${DETERMINER} (picture|pic|image|photo|screenshot|avatar|meme|drawing|banner)\\b`,
      `\\b(describe|view|analy[sz]e|inspect|transcribe|caption|rate|can you see|do you see) ${DETERMINER} (picture|pic|image|photo|screenshot|avatar|meme|drawing|banner)\\b`,
      `\\b(read|translate) (the |what's written |what it says )?(text |words )?(in|on) ${DETERMINER} (picture|pic|image|photo|screenshot|meme)\\b`,
      "\\bwhat does .{1,40}\\b(avatar|profile picture|profile pic|banner) (look like|show)\\b",
      "\\b(schau|sieh|guck) dir .{0,20}\\b(bild|foto|screenshot)\\b|\\bwas (ist|siehst du|sieht man) (auf|in) (dem|diesem|meinem) (bild|foto|screenshot)\\b",
      "看看?.{0,4}(图片|照片|截图|头像)|(描述|分析).{0,4}(图片|照片|截图)|(画像|写真|スクショ)を(見て|説明)|(이미지|사진).{0,4}(봐|설명)",
    ],
  },
  web_search: {
    phrases: ["搜索一下", "搜一下", "查一下", "上网查", "検索して", "ググって", "검색해"],
    patterns: [
      "\\b(search|browse|research) (on |through )?(the )?(web|internet|net|online)\\b",
      `${ASKING}search (for|up)\\b`,
      `${ASKING}google (for|that|this|it|the|how|what|who|whether|if|when|where|why|a|an|some|my|our)\\b`,
      "\\blook (it|that|this|them|him|her|these) up\\b",
      `${ASKING}look up (the|a|an|how|what|who|when|where|which|whether|if|some|my|our)\\b`,
      "\\b(find|find out|check|look|see|research) (it |this |that |for it )?online\\b",
      "\\b(what's|whats|what is|what are|any|give me|tell me|show me|get me|find) (the |some |today's )?(latest |newest |recent |current |breaking |top )?(news|headlines) (on|about|regarding)\\b|\\bwhat's the latest (on|about)\\b",
      "\\b(do|run|make) (a|an) (quick )?(web|online|internet|google) search\\b",
      "\\b(research|find|look|search|check)\\b.*\\b(on|in|from|using) the (web|internet)\\b",
      "\\b(google|googel|googl) (mal|bitte|das|nach)\\b|\\bsuche? (bitte |mal |mir )?(im (internet|netz|web)|online)\\b|^suche? (bitte |mal )?nach\\b",
      "帮我(搜|查)|ネットで(検索|調べ)",
    ],
  },
} satisfies Readonly<Record<string, ToolTriggers>>;

/** Returns the triggers that the table has for a tool, in the form of its card. */
export const triggersOf = (name: string): { triggers?: ToolTriggers } =>
  Object.hasOwn(triggers, name) ? { triggers: triggers[name as keyof typeof triggers] } : {};
