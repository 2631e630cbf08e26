// Every operator that a mutation can break, numbered: the rooms in their order, their files, and the sites of each.
import { createHash } from "node:crypto";
import { listSources, readSource } from "../support/source-tree.ts";
import { findSites, type Site } from "./sites.ts";

/** The folders whose operators are broken. */
export const ROOMS = ["durable-objects", "src/discord", "src/core", "src/turn", "src/toolkit"];
/** A script for people, which has tests of another lane. */
const LEFT_OUT = new Set(["src/discord/register.ts"]);

/** All of them, and where each file begins. */
export interface AllSites {
  sites: Site[];
  first: Map<string, number>;
  /** A mark of the sources: numbers mean the same as long as it is the same. */
  mark: string;
}

/** Reads them from the sources. */
export function readAllSites(): AllSites {
  const sites: Site[] = [];
  const first = new Map<string, number>();
  const hash = createHash("sha256");
  for (const file of ROOMS.flatMap((room) => listSources(room).toSorted())) {
    if (LEFT_OUT.has(file)) continue;
    const text = readSource(file);
    first.set(file, sites.length);
    sites.push(...findSites(file, text));
    hash.update(`${file}\0${text}\0`);
  }
  return { sites, first, mark: hash.digest("hex").slice(0, 12) };
}
