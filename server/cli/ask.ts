/** A question on the terminal. */
import { createInterface } from "node:readline";
import { printLine } from "../process/terminal/print-text.ts";

/** @returns true for y and yes, undefined for Ctrl-C, false for any other answer, such as Ctrl-D */
export async function askUser(question: string): Promise<boolean | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const { promise, resolve } = Promise.withResolvers<{ line?: string; isCancelled?: true }>();
  terminal.once("SIGINT", () => resolve({ isCancelled: true }));
  terminal.once("close", () => resolve({}));
  terminal.question(`${question} [y/N] `, (line) => resolve({ line }));
  const { line, isCancelled } = await promise;
  terminal.close();
  if (line === undefined) printLine(""); // The cursor stands behind the question.
  return isCancelled ? undefined : /^y(es)?$/i.test(line?.trim() ?? "");
}
