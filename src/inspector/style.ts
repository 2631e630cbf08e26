// The pages' style, as the browser gets it: light or dark as in the system's settings, for windows from 320 pixels, with nothing from elsewhere.

/** `/inspect/style.css`. */
export const STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfbfa, #16181c);
  --card: light-dark(#fff, #1e2126);
  --ink: light-dark(#1c1f24, #e6e8eb);
  --soft: light-dark(#5a616b, #a2a9b4);
  --line: light-dark(#e2e4e8, #31363e);
  --link: light-dark(#0b5cad, #7db8ff);
  --work: light-dark(#2f6fde, #5b93f5);
  --first: light-dark(#a9c6f7, #35548c);
  --wait: light-dark(#c9ced6, #4a515c);
  --fail: light-dark(#c62a35, #f0696f);
  --good: light-dark(#1a7a43, #5cc98b);
  --mark: light-dark(#a15c00, #e8a94c);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1.25rem 2rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
a, small, span { unicode-bidi: isolate; }
a { color: var(--link); text-underline-offset: .15em; }
a:not(:hover) { text-decoration-thickness: 1px; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
main { overflow-wrap: anywhere; }
main:focus { outline: none; }
h1 { font-size: 1.45rem; line-height: 1.3; margin: 1.2rem 0 .8rem; overflow-wrap: anywhere; }
h2 { font-size: 1.08rem; margin: 2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
h4, .detail h3 { font-size: .85rem; margin: .9rem 0 .3rem; color: var(--soft); font-weight: 600; }
small, .note, footer { color: var(--soft); font-size: .85rem; font-weight: 400; }
footer { margin-top: 2.5rem; }
p { margin: .4rem 0; }
code, pre { font: .85rem/1.5 ui-monospace, monospace; }
code { white-space: nowrap; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .3rem .6rem; z-index: 1; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: baseline; padding: .8rem 0; border-bottom: 1px solid var(--line); font-size: .9rem; }
header .home { font-weight: 650; color: inherit; text-decoration: none; }
header nav { flex: 1; min-width: 0; }
header ol { display: flex; flex-wrap: wrap; gap: 0 .5rem; list-style: none; margin: 0; padding: 0; overflow-wrap: anywhere; }
header li + li::before { content: "/"; color: var(--soft); margin-right: .5rem; }
header [aria-current] { color: var(--soft); }
#live { margin: 0; color: var(--good); }
.facts { display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin: .6rem 0; }
.facts > div { min-width: 0; }
dt { color: var(--soft); font-size: .8rem; }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.tiles .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; }
.tiles .facts > div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .9rem; }
.tiles dd { font-size: 1.35rem; font-weight: 600; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 0 2rem; }
.columns > * { min-width: 0; }
.list, .legend, .lanes, .requests, .rows { list-style: none; margin: 0; padding: 0; }
.list li { display: flex; justify-content: space-between; gap: 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line); }
.list a { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.list small { flex: none; }
.tall li { display: block; }
.tall :is(a, small) { display: block; }
.k { display: inline-block; max-width: 9rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
table { width: 100%; font-size: .92rem; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-size: .8rem; font-weight: 500; color: var(--soft); white-space: nowrap; }
th, td { padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: anywhere; }
.n { text-align: right; white-space: nowrap; }
:is(th, td):last-child { padding-right: 0; }
td time { white-space: nowrap; }
.wide td:first-child { min-width: 11rem; }
.id { max-width: 6.5rem; }
td:first-child a { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.state { white-space: nowrap; font-size: .82rem; padding: .05rem .5rem; border-radius: 1rem; border: 1px solid var(--line); background: var(--card); }
.is-completed { color: var(--good); }
.is-error, .is-timeout, .is-empty_response { color: var(--fail); }
.is-running, .is-closing { color: var(--link); border-color: currentColor; }
.is-parked, .is-stopped_by_user, .is-follow_up_interrupt { color: var(--mark); }
.mark:not(svg *) { font-size: .82rem; color: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: 0 .35rem; }
.now { border-left: 3px solid var(--work); padding-left: .9rem; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin-bottom: .8rem; }
input, select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid light-dark(#8b929d, #6b7480); border-radius: 6px; padding: .25rem .6rem; max-width: 100%; }
button { cursor: pointer; }
button:hover { border-color: var(--link); }
.pages { display: flex; gap: 1.5rem; margin: .8rem 0; }
.chart { display: block; overflow: visible; }
.chart rect { fill: var(--work); }
.chart rect:hover { fill: var(--link); }
svg text { fill: var(--soft); font-size: 11px; font-variant-numeric: tabular-nums; paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
svg .grid { stroke: var(--line); }
summary { cursor: pointer; }
.title { display: flex; justify-content: space-between; gap: 1rem; align-items: start; }
.title h1 { flex: 1; min-width: 0; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.copy { margin-top: 1.2rem; white-space: nowrap; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; color: var(--soft); font-size: .85rem; margin-bottom: .6rem; }
.legend svg { vertical-align: -1px; }
svg .work { fill: var(--work); }
svg .first { fill: var(--first); }
svg .wait { fill: var(--wait); }
svg .fail { fill: var(--fail); }
svg .mark { fill: var(--mark); }
svg .takeover { stroke: var(--mark); stroke-dasharray: 2 2; }
svg .stop { stroke: var(--fail); stroke-dasharray: 2 2; }
.lanes > li { border-bottom: 1px solid var(--line); }
.axis, .lanes summary { display: grid; grid-template-columns: minmax(0, 15rem) minmax(0, 1fr) 6rem; column-gap: .9rem; align-items: center; }
.axis svg { grid-column: 2; display: block; }
.lanes summary { padding: .12rem 0; list-style: none; }
.lanes summary::-webkit-details-marker { display: none; }
.lanes summary:hover, .lanes [open] > summary { background: color-mix(in srgb, var(--work) 8%, transparent); }
.what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding-left: 1rem; position: relative; }
.what::before { content: "›"; position: absolute; left: .2rem; color: var(--soft); }
[open] > summary > .what::before { rotate: 90deg; }
.took { grid-column: 3; grid-row: 1; text-align: right; font-variant-numeric: tabular-nums; font-size: .85rem; color: var(--soft); }
.track { grid-column: 2; grid-row: 1; display: block; }
.detail { padding: .3rem 1rem .9rem; border-left: 3px solid var(--work); margin: .3rem 0 .6rem; }
.detail ol { margin: .2rem 0; padding-left: 1.3rem; }
.words { white-space: pre-wrap; overflow-wrap: anywhere; text-align: left; unicode-bidi: plaintext; }
pre.words { margin: .2rem 0; font: inherit; }
.detail pre.words { font: .82rem/1.5 ui-monospace, monospace; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; }
.more summary { color: var(--link); font-size: .85rem; }
.request { display: block; padding: .3rem 0; }
.request h3 { margin: .2rem 0 .5rem; }
.requests > li { border-bottom: 1px solid var(--line); }
.rows li { border: 1px solid var(--line); background: var(--card); border-radius: 8px; padding: .4rem .8rem; margin: .4rem 0; }
.rows .assistant { border-left: 3px solid var(--work); }
.who { margin: 0; font-weight: 600; font-size: .9rem; }
.sign-in { max-width: 24rem; margin: 3rem auto; display: grid; gap: .5rem; }
.sign-in h1 { margin: 0 0 .5rem; }
.sign-in input, .sign-in button { padding: .5rem .7rem; }
.problem { color: var(--fail); }
@media (max-width: 68rem) {
  td time, .n { white-space: normal; }
  .k, .id { max-width: 5rem; }
  .wide td:first-child { min-width: 8rem; }
}
@media (max-width: 46rem) {
  body { padding: 0 .9rem 2rem; }
  header nav { order: 1; flex-basis: 100%; }
  header #live { margin-left: auto; }
  .axis, .lanes summary { grid-template-columns: minmax(0, 1fr) auto; }
  .axis svg, .track { grid-column: 1 / -1; grid-row: auto; }
  .took { grid-column: 2; }
  th { white-space: normal; }
  th, td { overflow-wrap: normal; }
  td > * { overflow-wrap: anywhere; }
  .wide thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.wide, .wide tbody { display: block; }
  .wide tr { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
  .wide td { border: 0; padding: 0; max-width: 100%; text-align: left; }
  .wide td:first-child { flex-basis: 100%; min-width: 0; }
  .wide .none, .wide td:first-child::before { display: none; }
  .wide td:not(:first-child)::before { content: attr(data-name); display: block; font-size: .75rem; color: var(--soft); }
  .k, .id { max-width: 100%; }
  .title { display: block; }
  .copy { margin: 0; }
}
@media (scripting: none) { .copy { display: none; } }
@media (prefers-reduced-motion: no-preference) { .is-running { animation: pulse 1.6s ease-in-out infinite alternate; } }
@keyframes pulse { to { border-color: var(--line); } }
`;
