// The person's screen: prompts of @clack/prompts if a person is there, plain lines otherwise. The only file that uses that package.
import process from "node:process";
import { styleText } from "node:util";
import { confirm, password, select, spinner, text, updateSettings } from "@clack/prompts";
import { failure } from "./copy/setup.ts";
import type { Terminal } from "./ports.ts";

/** The exit code by which a shell reports that SIGINT ended a program. */
const CTRL_C = 130;

/** Opens the screen of this process. `mayAsk`: false for --yes. */
export function openTerminal(mayAsk: boolean): Terminal {
  // Otherwise Ctrl-D closes the input without an answer: a question would end the process silently, and a wait would not react to Ctrl-C.
  updateSettings({ aliases: { "\x04": "cancel" } });
  const canAsk = mayAsk && process.stdin.isTTY === true && process.stdout.isTTY === true;
  const write = (line: string) => process.stdout.write(`${line}\n`);
  // If a person gives up, clack returns a symbol.
  const asText = async (asked: Promise<unknown>): Promise<string | null> => {
    const given = await asked;
    return typeof given === "symbol" ? null : String(given ?? "");
  };
  const check = (fault: (text: string) => string | null) => (value: string | undefined) =>
    fault(value ?? "") ?? undefined;
  return {
    canAsk,
    // The input is hidden, so a wrong answer must be cleared completely.
    askSecret: (message, fault) => asText(password({ message, validate: check(fault), clearOnError: true })),
    askText: (message, suggestion, fault) => {
      const validate = (value: string | undefined) => check(fault)(value || suggestion);
      return asText(text({ message, placeholder: suggestion, defaultValue: suggestion, validate }));
    },
    async askYesNo(message, suggestion) {
      const given = await confirm({ message, initialValue: suggestion });
      return typeof given === "boolean" ? given : null;
    },
    choose: (message, choices) => asText(select({ message, options: choices.map((one) => ({ ...one })) })),
    done: (line) => write(`${styleText("green", "✓")} ${line}`),
    warn: (line) => write(`${styleText("yellow", "!")} ${line}`),
    fail: (line) => write(`${styleText("red", "✗")} ${line}`),
    unseen: (line) => write(`${styleText("dim", "–")} ${line}`),
    tell: (lines) => write(`\n${lines}\n`),
    wait(line) {
      if (!canAsk) {
        write(`… ${line}`);
        return () => {};
      }
      const running = spinner({ cancelMessage: failure.cancelled });
      // While the spinner runs, Ctrl-C is an ordinary key, and clack then exits with code 0.
      const setCode = (code: number) => {
        if (code === 0) process.exitCode = CTRL_C;
      };
      process.once("exit", setCode);
      running.start(line);
      return () => {
        process.removeListener("exit", setCode);
        running.clear();
      };
    },
  };
}
