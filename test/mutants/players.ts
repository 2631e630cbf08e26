// The parent's side of a player: starts it, asks it one thing at a time, and ends it if no answer comes.
import { type ChildProcess, spawn } from "node:child_process";
import type { AllSites } from "./all-sites.ts";
import type { FromPlayer, Judge, Recorded, TestToRun } from "./messages.ts";

/** How long a single test may be silent, in addition to what the player itself allows it. */
const SILENCE_MS = 15_000;
const RECORDED_SILENCE_MS = 150_000;

export type Verdict = { order: number | null; how: string; isSure: boolean; brokeDown?: string };

/** A player, or its replacement if it had to be ended. */
export function makePlayer({ first, sites }: AllSites) {
  let child: ChildProcess | undefined;
  const start = async (): Promise<ChildProcess> => {
    if (child) return child;
    const argument = JSON.stringify({ first: [...first], sites: sites.length });
    const started = spawn(
      process.execPath,
      ["--no-warnings", "--max-old-space-size=3000", `${import.meta.dirname}/player.ts`, argument],
      {
        stdio: [
          "ignore",
          process.env.MUTANTS_LOUD ? "inherit" : "ignore",
          process.env.MUTANTS_LOUD ? "inherit" : "ignore",
          "ipc",
        ],
        env: { ...process.env, CI: "1", NO_COLOR: "1", VITEST: "true", TEST: "true", NODE_ENV: "test" },
      },
    );
    child = started;
    await new Promise((resolve) => started.once("message", resolve));
    return started;
  };
  const end = () => {
    child?.kill("SIGKILL");
    child = undefined;
  };
  /** Returns its answer, or `silent` with the last test that it began if none comes. */
  const ask = async (
    message: object,
    silenceMs: (at: number) => number,
  ): Promise<FromPlayer | { type: "silent"; at: number }> => {
    const asked = await start();
    return new Promise((resolve) => {
      let at = -1;
      const finish = (answer: FromPlayer | { type: "silent"; at: number }) => {
        clearTimeout(timer);
        asked.removeAllListeners("message");
        asked.removeAllListeners("exit");
        resolve(answer);
      };
      const silent = () => {
        end();
        finish({ type: "silent", at });
      };
      let timer = setTimeout(silent, silenceMs(0));
      asked.on("message", (answer: FromPlayer) => {
        if (answer.type !== "at") return finish(answer);
        at += 1;
        clearTimeout(timer);
        timer = setTimeout(silent, silenceMs(at));
      });
      asked.once("exit", silent);
      asked.send(message);
    });
  };
  return {
    end,
    /** What the tests of a file reach. */
    async record(file: string): Promise<Recorded> {
      const answer = await ask({ type: "record", file }, () => RECORDED_SILENCE_MS);
      if (answer.type === "silent")
        throw new Error(
          `A test of ${file} said nothing for ${RECORDED_SILENCE_MS / 1000} s. Try again when this machine does less.`,
        );
      if (answer.type !== "recorded") throw new Error(`${file}: ${JSON.stringify(answer)}`);
      return answer.recorded;
    },
    /** Finds which of the tests notices. */
    async judge(asked: Omit<Judge, "type">): Promise<Verdict> {
      if (asked.fresh) end();
      const limit = (at: number) => SILENCE_MS + 80 * (asked.tests[at]?.ms ?? 0);
      const answer = await ask({ type: "judge", ...asked }, limit);
      if (asked.fresh || (answer.type === "judged" && !answer.isSure)) end();
      if (answer.type === "judged") return answer;
      if (answer.type === "silent") return { order: Math.max(0, answer.at), how: "hangs", isSure: asked.fresh };
      end();
      return { order: null, how: "passed", isSure: false, brokeDown: JSON.stringify(answer) };
    },
    /** Finds which of these operators this test notices; null if that could not be determined. */
    async judgeGroup(test: TestToRun, group: number[]): Promise<number[] | null> {
      const answer = await ask({ type: "group", test, group }, () => SILENCE_MS + 80 * test.ms);
      if (answer.type === "grouped") return answer.noticed;
      end();
      return null;
    },
  };
}

export type Player = ReturnType<typeof makePlayer>;
