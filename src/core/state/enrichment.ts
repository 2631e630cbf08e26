// What tools add to a turn's conversation instead of a result.

/** Something that a tool added to the conversation instead of a result. It comes last there. */
export interface EnrichmentItem {
  text: string;
  images: string[];
}

/** What context restarts have added to a turn. A tool that caused one is withdrawn for the rest of the turn. */
export interface Enrichment {
  withdrawnTools: string[];
  items: EnrichmentItem[];
  /** The messages are annotated with handles and times. */
  metadata: boolean;
}
