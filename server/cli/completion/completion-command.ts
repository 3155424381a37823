/** `hearth completion SHELL`: prints the script with which a shell completes the commands. */
import { printLines } from "../../process/terminal/print-text.ts";
import type { Command } from "../command.ts";
import { commandCandidates } from "./candidates.ts";
import type { CompletionInput } from "./completion-input.ts";
import { shellScripts } from "./shell-scripts.ts";

export function printCompletion({ shell }: CompletionInput, commands: readonly Command[]): number {
  printLines(shellScripts[shell](commandCandidates(commands)));
  return 0;
}
