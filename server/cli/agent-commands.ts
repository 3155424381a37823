/** The commands for agents that write or test programs. */
import { command, type Command } from "./command.ts";
import { mcpInput } from "./mcp/mcp-input.ts";

export const agentCommands: readonly Command[] = [
  command({
    name: "mcp",
    group: "Develop against Hearth",
    summary: "serve an agent by the Model Context Protocol on stdin and stdout",
    input: mcpInput,
    load: async () => (await import("./mcp/mcp-command.ts")).serveAgent,
  }),
];
