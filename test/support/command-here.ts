import type { CommandContext } from "../../server/cli/command.ts";
import { commands } from "../../server/cli/commands.ts";
import { parseCommandLine } from "../../server/cli/command-parser.ts";

/** Runs a `hearth` command in this process. @returns its exit code */
export async function commandHere(argv: readonly string[], context: Partial<CommandContext> = {}): Promise<number> {
  const { row, input } = parseCommandLine(argv, commands);
  const run = await row.load();
  return run(input, { env: {}, cwd: "/", version: "0.0.0-test", host: {} as CommandContext["host"], ...context });
}
