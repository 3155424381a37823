/** The input of `hearth agent setup`. */
import { z } from "zod";
import { optionalArgument, toggle } from "../../process/command-line/inputs.ts";

export const agentSetupInput = z
  .object({
    agent: optionalArgument("AGENT", "claude, cursor, vscode or codex; default: the agents with files in this folder"),
    yes: toggle("write the files without asking"),
  })
  .describe(
    `Adds Hearth's MCP server and a skill to the working directory, for a coding agent. The command shows every change and asks \
before it writes. Other servers, other settings and comments stay. An entry or a skill that differs is kept. Without --yes and \
without a terminal the command only shows the changes and exits with code 2.`,
  );

export type AgentSetupInput = z.output<typeof agentSetupInput>;
