// The operators of a source file that a mutation can break, and the text with one of them broken. The parser is oxc's, which vitest brings
// (`parseAst`, TypeScript as it is).
import { parseAst } from "vitest/node";

/** One operator, and what takes its place. Offsets are in the file's text. */
export interface Site {
  file: string;
  line: number;
  /** From the operator's first character to the one after its last. */
  from: number;
  to: number;
  operator: string;
  instead: string;
}

/** What each operator becomes: what a slip of a finger or of a thought makes of it. */
const BINARY: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
  "??": "&&",
};
const ASSIGNED: Readonly<Record<string, string>> = { "+=": "-=", "-=": "+=", "||=": "&&=", "&&=": "||=", "??=": "&&=" };
const UPDATED: Readonly<Record<string, string>> = { "++": "--", "--": "++" };

interface Node {
  type: string;
  start: number;
  end: number;
  operator?: string;
  prefix?: boolean;
  left?: Node;
  right?: Node;
  argument?: Node;
}

/** Every operator of the file that has a counterpart, in its order. */
export function findSites(file: string, text: string): Site[] {
  const sites: Site[] = [];
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  /** Adds the operator if it is between the two offsets, outside comments. */
  const add = (operator: string, instead: string | undefined, from: number, until: number) => {
    if (instead === undefined) return;
    const at = text
      .slice(from, until)
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => " ".repeat(comment.length))
      .indexOf(operator);
    if (at < 0) throw new Error(`${file}:${lineAt(from)} has no ${operator} where the parser says so`);
    const start = from + at;
    sites.push({ file, line: lineAt(start), from: start, to: start + operator.length, operator, instead });
  };
  const visit = (node: Node): void => {
    const { type, operator = "", left, right, argument } = node;
    if ((type === "BinaryExpression" || type === "LogicalExpression") && left && right)
      add(operator, BINARY[operator], left.end, right.start);
    if (type === "AssignmentExpression" && left && right) add(operator, ASSIGNED[operator], left.end, right.start);
    if (type === "UnaryExpression" && operator === "!" && argument) add("!", "", node.start, argument.start);
    if (type === "UpdateExpression" && argument)
      add(
        operator,
        UPDATED[operator],
        ...((node.prefix ? [node.start, argument.start] : [argument.end, node.end]) as [number, number]),
      );
    for (const value of Object.values(node))
      for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) visit(one);
  };
  visit(parseAst(text, { lang: "ts" }) as unknown as Node);
  return sites.toSorted((a, b) => a.from - b.from);
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** The text with this operator broken. */
export const broken = (text: string, { from, to, instead }: Site): string =>
  text.slice(0, from) + instead + text.slice(to);

/** The mutation in words. */
export const describeSite = ({ file, line, operator, instead }: Site): string =>
  `${file}:${line} ${operator} → ${instead === "" ? "nothing" : instead}`;
