// What a row of the doctor says.
import type { RowNumber } from "./copy/doctor.ts";

/** What --fix can do about a row. */
export type Mend = "endpoint" | "commands" | "intent" | "subdomain";

/** One line. `ok` null: it could not be seen, or is not used. `run`: what helps. */
export interface Finding {
  row: RowNumber;
  ok: boolean | null;
  sentence: string;
  run: string | null;
  mend: Mend | null;
}

const NO_HELP = { run: null, mend: null };

/** ✓ */
export const isWell = (row: RowNumber, sentence: string): Finding => ({ row, ok: true, sentence, ...NO_HELP });
/** – */
export const isUnseen = (row: RowNumber, sentence: string): Finding => ({ row, ok: null, sentence, ...NO_HELP });
/** ✗ */
export const isWrong = (
  row: RowNumber,
  sentence: string,
  run: string | null = null,
  mend: Mend | null = null,
): Finding => ({ row, ok: false, sentence, run, mend });

/** What to run to look at the Worker of this name. */
export const doctorOf = (name: string): string => `npm run doctor -- --name ${name}`;
