// Rewrites a source file so that each operator asks at run time whether it is the broken one, and one loading of the program serves for every
// mutation. Operands stay in place, because a function around them could not await: `a < b` becomes `__m.lt(7,a , b)`, `a && b` becomes
// `(__m.and(7,a )? b:__m.left)`.
import { findSites, type Site } from "./sites.ts";

/** The name of each operator's function. */
export const NAMES: Readonly<Record<string, string>> = {
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "===": "same",
  "!==": "other",
  "+": "plus",
  "-": "minus",
  "*": "times",
  "/": "by",
  "%": "rest",
  "&&": "and",
  "||": "or",
  "??": "instead",
};

/** The text with a switch at each site; the first site has this number, and the others follow in the order of `findSites`. */
export function withSwitches(file: string, text: string, first: number): string {
  const all = findSites(file, text).map((site, index) => ({ ...site, number: first + index }));
  /** The text between two offsets, with switches for the expressions that lie completely between them, except for one expression. */
  const render = (from: number, to: number, but?: Site): string => {
    let out = "";
    let at = from;
    for (;;) {
      const inside = all.filter((one) => one !== but && one.start >= at && one.end <= to && isInside(one, but));
      const next = inside.toSorted((a, b) => a.start - b.start || b.end - a.end)[0];
      if (!next) return out + text.slice(at, to);
      out += text.slice(at, next.start) + expression(next);
      at = next.end;
    }
  };
  /** `a` and `a++` end at different places, but `!a` and its operand end at the same one; the outer expression is never inside itself. */
  const isInside = (one: Site, but: Site | undefined) => but === undefined || one.end - one.start < but.end - but.start;
  const expression = (site: Site & { number: number }): string => {
    const { number, start, end, from, to, operator, instead, kind } = site;
    const before = render(start, from, site);
    const after = render(to, end, site);
    if (kind === "binary") return `__m.${NAMES[operator]}(${number},${before},${after})`;
    if (kind === "logical") return `(__m.${NAMES[operator]}(${number},${before})?${after}:__m.left)`;
    if (kind === "not") return `__m.not(${number},${after})`;
    return `(__m.is(${number})?${before}${instead}${after}:${before}${operator}${after})`;
  };
  return all.length === 0 ? text : render(0, text.length);
}
