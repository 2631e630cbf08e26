// Every operator that a mutation can break, numbered by room, file and site.
import { createHash } from "node:crypto";
import { listSources, readSource } from "../support/source-tree.ts";
import { findSites, type Site } from "./sites.ts";

/** The folders whose operators are broken. */
export const ROOMS = ["durable-objects", "src/discord", "src/core", "src/turn", "src/toolkit"];
/** A script for people, whose tests are in another lane. */
const LEFT_OUT = new Set(["src/discord/register.ts"]);

/** All sites, and the index at which each file begins. */
export interface AllSites {
  sites: Site[];
  first: Map<string, number>;
  /** A hash of the sources: numbers keep their meaning as long as it is the same. */
  mark: string;
}

/** Reads the sites from the sources. */
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
