// What tools add to a turn's conversation instead of returning a result.
import type { PartTaint } from "../taint/taint.ts";

/** Something that a tool added to the conversation instead of returning a result. It comes last there. */
export interface EnrichmentItem {
  text: string;
  images: string[];
  /** Strangers may have written it. */
  taint?: PartTaint;
}

/** What context restarts have added to a turn. A tool that caused a restart is withdrawn for the rest of the turn. */
export interface Enrichment {
  withdrawnTools: string[];
  items: EnrichmentItem[];
  /** The messages are annotated with handles and times. */
  metadata: boolean;
}

/** The enrichment of a turn to which nothing was added. */
export const NO_ENRICHMENT: Enrichment = { withdrawnTools: [], items: [], metadata: false };
