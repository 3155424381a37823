import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { commandCandidates } from "../../../server/cli/completion/candidates.ts";
import { shellScripts } from "../../../server/cli/completion/shell-scripts.ts";
import { commands } from "../../../server/cli/commands.ts";

const candidates = commandCandidates(commands);

/** What bash offers for the last word. */
function completedByBash(...words: string[]): string[] {
  const script = `${shellScripts.bash(candidates)}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_hearth
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync("bash", ["-c", script, "bash", "hearth", ...words], { encoding: "utf8" });
  return printed.split("\n").filter((line) => line !== "");
}

it.skipIf(process.platform === "win32").each([
  [["pa"], ["pay"]],
  [
    ["snapshot", "re"],
    ["restore", "remove"],
  ],
  [
    ["pay", "last", "--"],
    ["--fail", "--json", "--data-dir"],
  ],
  [
    ["pay", "--fail", ""],
    ["bank", "cancel", "wrong_password", "no_funds"],
  ],
  [["fault", "arm", "ref"], ["refund_outcome"]],
  [
    ["reset", "pro"],
    ["provider", "prompt_cache"],
  ],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["backup", "--data-dir", ""], []],
])("bash completes hearth %j with %j", (words, expected) => {
  expect(completedByBash(...words)).toEqual(expected);
});

it.each(["bash", "zsh", "fish"] as const)("the script for %s has every command and every flag", (shell) => {
  const script = shellScripts[shell](candidates);
  for (const { word, flags } of candidates) {
    expect(script).toContain(word);
    for (const flag of flags) expect(script).toContain(shell === "fish" ? `-l ${flag.word.slice(2)}` : flag.word);
  }
});
