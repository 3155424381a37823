/** Prints findings, a line each as it comes, and on a terminal the progress of the current check. */
import { styleText } from "node:util";
import { printable } from "../../process/terminal/print-text.ts";
import type { Finding } from "./check.ts";

interface Terminal {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

const colors = { ok: "green", warning: "yellow", problem: "red" } as const;
const width = "node-llama-cpp".length;

/** @param out where findings are printed; without it they are only kept */
export function createFindingPrinter(out: Terminal | undefined, env: NodeJS.ProcessEnv) {
  const isLive = out?.isTTY === true;
  const hasColors = isLive && env["NO_COLOR"] === undefined;
  const reported: Finding[] = [];
  const clear = () => isLive && out?.write("\r\x1b[2K");
  return {
    report(finding: Finding): void {
      reported.push(finding);
      clear();
      const { check, state, text } = finding;
      const mark = state.padEnd("problem".length);
      const painted = hasColors ? styleText(colors[state], mark, { validateStream: false }) : mark;
      out?.write(`${painted}  ${check.padEnd(width)}  ${printable(text)}\n`);
    },
    onProgress(text: string): void {
      clear();
      if (isLive) out?.write(`… ${printable(text)}`);
    },
    /** The findings so far. */
    findings: (): readonly Finding[] => reported,
    /** Clears the progress line. */
    end: () => void clear(),
  };
}
