// Handles a reader, such as `head`, that has read enough and closes its end of the pipe. Nobody reads the rest of the output then.
import process from "node:process";

/** Ends the script silently as soon as nobody reads its output. Only for scripts that leave nothing running. */
export function endUnread(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}
