/** All commands, in the order of the general help. The command line is made from this table. */
import { actionCommands } from "./action-commands.ts";
import { projectCommands, runCommands } from "./built-in-commands.ts";
import { command, type Command } from "./command.ts";
import { completionInput } from "./completion/completion-input.ts";

const completion = command({
  name: "completion",
  group: "Installation and data",
  summary: "print the script with which bash, zsh or fish completes these commands",
  input: completionInput,
  async load() {
    const { printCompletion } = await import("./completion/completion-command.ts");
    return (input) => printCompletion(input, commands);
  },
});

export const commands: readonly Command[] = [...runCommands, ...actionCommands, ...projectCommands, completion];
