// The repository's source files and what they import, as text: for tests of the structure.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");

/** One import of a file. `to` is a path from the root without its extension, or a package. `isType`: it disappears when compiled. */
export interface Import {
  to: string;
  isType: boolean;
}

const posix = (path: string) => path.split(sep).join("/");

/** The TypeScript files of a folder, or the file itself; paths from the root. */
export function listSources(place: string): string[] {
  const at = join(ROOT, place);
  if (!existsSync(at)) return [];
  if (place.endsWith(".ts")) return [place];
  const names = readdirSync(at, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => posix(join(place, name)));
}

export const readSource = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const STATEMENT =
  /\b(import|export)\s+(type\s+)?([^;"']*?\bfrom\s*)?["']([^"']+)["']|\bimport\s*\(\s*["']([^"']+)["']/g;

/** Every import and re-export of a file, in order. */
export function readImports(file: string): Import[] {
  return [...readSource(file).matchAll(STATEMENT)].map(([, , type, names = "", path, dynamic]) => {
    const name = path ?? dynamic ?? "";
    const braces = names.match(/\{([^}]*)\}/)?.[1];
    const others = names.replace(/\{[^}]*\}|\bfrom\b|[\s,]/g, "");
    const areAllTypes = braces?.trim() !== "" && braces?.split(",").every((one) => /^\s*(type\s|$)/.test(one)) === true;
    return {
      to: name.startsWith(".")
        ? posix(relative(ROOT, resolve(ROOT, dirname(file), name))).replace(/\.[jt]s$/, "")
        : name,
      isType: type !== undefined || (areAllTypes && others === ""),
    };
  });
}

/** The text of a file without its comments. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");

/** Each cycle of value imports, as a path of files that ends where it began; empty: there is no cycle. */
export function findImportCircles(files: readonly string[]): string[][] {
  const known = new Map(files.map((file) => [file.replace(/\.ts$/, ""), file]));
  const edges = new Map(
    files.map((file) => [
      file,
      readImports(file).flatMap(({ to, isType }) => (isType ? [] : [known.get(to)].filter((one) => one !== undefined))),
    ]),
  );
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      circles.push([...path.slice(at), file]);
      return;
    }
    if (done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return circles;
}
