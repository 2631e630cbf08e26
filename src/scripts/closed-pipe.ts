// A reader that has enough, such as `head`, closes its end of the pipe. The rest of the output is for nobody then.
import process from "node:process";

/** Ends the script without a word as soon as nobody reads its output. For scripts that start nothing which lives on. */
export function endUnread(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}
