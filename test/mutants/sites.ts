// The operators of a source file that a mutation can break, and the text with one of them broken. The parser is oxc's, which vitest includes
// (`parseAst`, for TypeScript without conversion).
import { parseAst } from "vitest/node";

/** One operator, and its replacement. Offsets are in the file's text. */
export interface Site {
  file: string;
  line: number;
  column: number;
  /** From the operator's first character to the one after its last. */
  from: number;
  to: number;
  operator: string;
  instead: string;
  /** The whole expression: from its first operand to its last. */
  start: number;
  end: number;
  kind: "binary" | "logical" | "assigned" | "not" | "updated";
}

/** What each operator becomes: what a slip of the finger or of the mind would make of it. */
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
};
const LOGICAL: Readonly<Record<string, string>> = { "&&": "||", "||": "&&", "??": "&&" };
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

/** Every operator of the file that has a counterpart, in order. */
export function findSites(file: string, text: string): Site[] {
  const sites: Site[] = [];
  /** Adds the operator if it is between the two offsets, outside comments. */
  const add = (kind: Site["kind"], node: Node, instead: string | undefined, from: number, until: number) => {
    const { operator = "", start, end } = node;
    if (instead === undefined) return;
    const at = text
      .slice(from, until)
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, (comment) => " ".repeat(comment.length))
      .indexOf(operator);
    const before = text.slice(0, from + Math.max(at, 0)).split("\n");
    const line = before.length;
    if (at < 0) throw new Error(`${file}:${line} has no ${operator} where the parser says so`);
    const column = (before.at(-1)?.length ?? 0) + 1;
    const to = from + at + operator.length;
    sites.push({ file, line, column, from: from + at, to, operator, instead, start, end, kind });
  };
  const visit = (node: Node): void => {
    const { type, operator = "", left, right, argument } = node;
    if (left && right) {
      if (type === "BinaryExpression") add("binary", node, BINARY[operator], left.end, right.start);
      if (type === "LogicalExpression") add("logical", node, LOGICAL[operator], left.end, right.start);
      if (type === "AssignmentExpression") add("assigned", node, ASSIGNED[operator], left.end, right.start);
    }
    if (argument) {
      if (type === "UnaryExpression" && operator === "!") add("not", node, "", node.start, argument.start);
      if (type === "UpdateExpression" && node.prefix)
        add("updated", node, UPDATED[operator], node.start, argument.start);
      if (type === "UpdateExpression" && !node.prefix) add("updated", node, UPDATED[operator], argument.end, node.end);
    }
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
