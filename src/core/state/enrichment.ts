// What tools put into the model's view of a turn instead of a result.

/** Something that a tool put into the model's view instead of a result: it stands last in the conversation. */
export interface EnrichmentItem {
  text: string;
  images: string[];
}

/** What context restarts have added to a turn. A tool that caused one is withdrawn for the rest of it. */
export interface Enrichment {
  withdrawnTools: string[];
  items: EnrichmentItem[];
  /** The messages are annotated with handles and times. */
  metadata: boolean;
}
