// Where a constant is used that is computed when its file is loaded. No test runs such a constant's own operator, so a test counts as able to
// notice it if it runs an operator that uses the value.
import { readSource } from "../support/source-tree.ts";
import type { AllSites } from "./all-sites.ts";

/** A declaration at the top level of a file. */
const DECLARED = /^(?:export )?const (\w+)/;

/**
 * Finds the sites that may use the constant in whose declaration a site is: first those of expressions that name it, then, outside the
 * declaration, the others of the files that name it. Empty for a site that is in no such declaration.
 */
export function findUsers({ sites }: Pick<AllSites, "sites">, read: (file: string) => string = readSource) {
  const texts = new Map([...new Set(sites.map(({ file }) => file))].map((file) => [file, read(file)]));
  return (number: number): [expressions: number[], files: number[]] => {
    const site = sites[number];
    const above = site ? (texts.get(site.file) ?? "").split("\n").slice(0, site.line) : [];
    const name = above.findLast((line) => /^\w/.test(line))?.match(DECLARED)?.[1];
    if (!site || name === undefined) return [[], []];
    const named = new RegExp(`\\b${name}\\b`);
    const naming = new Set(
      [...texts].flatMap(([file, text]) => {
        const rest = file === site.file ? text.replace(`const ${name}`, "") : text;
        return named.test(rest) ? [file] : [];
      }),
    );
    const others = sites.flatMap((one, index) =>
      naming.has(one.file) && (one.file !== site.file || one.line !== site.line) ? [{ ...one, index }] : [],
    );
    const isNaming = ({ file, start, end }: (typeof others)[number]) =>
      named.test((texts.get(file) ?? "").slice(start, end));
    const indices = (some: typeof others) => some.map(({ index }) => index);
    return [indices(others.filter(isNaming)), indices(others.filter((one) => !isNaming(one)))];
  };
}
