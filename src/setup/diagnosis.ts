// One row of the doctor's report.
import type { RowNumber } from "./copy/doctor.ts";

/** The fixes that --fix can make. */
export type Mend = "endpoint" | "commands" | "intent" | "subdomain";

/** One line. `ok` null: it could not be checked, or is not used. `run`: a command or an address that helps. */
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

/** The command that checks the Worker of this name. */
export const doctorOf = (name: string): string => `npm run doctor -- --name ${name}`;
