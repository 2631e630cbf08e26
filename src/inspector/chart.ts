// Draws a bar chart in SVG: horizontally in percent, so that it fits every window without a script, and vertically in pixels.
import { html } from "hono/html";
import type { Html } from "./layout.ts";

/** One bar. `title`: its tooltip. */
export interface ChartBar {
  label: string;
  amount: number;
  title: string;
}

const HEIGHT = 190;
const TOP = 18;
const BOTTOM = 168;
/** The share of a bar's space that the bar fills. */
const FILLED = 0.72;
/** One bar in this many has a label. */
const LABEL_EVERY = 7;

/** Draws the bars with a readable axis. `describe`: the chart in words. */
export function renderChart(bars: readonly ChartBar[], describe: string, write: (amount: number) => string): Html {
  const top = niceTop(Math.max(...bars.map(({ amount }) => amount)));
  const y = (amount: number) => BOTTOM - ((BOTTOM - TOP) * amount) / top;
  const width = 100 / bars.length;
  const percent = (value: number) => `${value.toFixed(2)}%`;
  const lines = [0, top / 2, top].map(
    (amount) => html`<line class="grid" x1="0" x2="100%" y1="${y(amount)}" y2="${y(amount)}"/>`,
  );
  const scale = [top / 2, top].map((amount) => html`<text x="0" y="${y(amount) - 4}">${write(amount)}</text>`);
  const drawn = bars.map(({ amount, title }, index) => {
    const height = amount === 0 ? 0 : Math.max(2, BOTTOM - y(amount));
    const x = percent((index + (1 - FILLED) / 2) * width);
    return html`<rect x="${x}" y="${(BOTTOM - height).toFixed(1)}" width="${percent(width * FILLED)}" height="${height.toFixed(1)}" rx="1.5"><title>${title}</title></rect>`;
  });
  const labels = bars.flatMap(({ label }, index) => {
    const fromEnd = bars.length - 1 - index;
    if (fromEnd % LABEL_EVERY !== 0) return [];
    const x = percent((index + 0.5) * width);
    return [
      html`<text x="${fromEnd === 0 ? "100%" : x}" y="${HEIGHT - 4}" text-anchor="${fromEnd === 0 ? "end" : "middle"}">${label.slice(5)}</text>`,
    ];
  });
  return html`<svg class="chart" width="100%" height="${HEIGHT}" role="img" aria-label="${describe}">${lines}${drawn}${scale}${labels}</svg>`;
}

/** Returns the next higher of 1, 2, 4, 5 and 10 times a power of ten, so that half of it is a round number, too. */
function niceTop(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return power * ([1, 2, 4, 5, 10].find((one) => one * power >= highest) ?? 10);
}
