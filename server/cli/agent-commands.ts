/** The commands for agents that write or test programs. */
import { agentSetupInput } from "./agent/agent-input.ts";
import { command, type Command } from "./command.ts";
import { mcpInput } from "./mcp/mcp-input.ts";

export const agentCommands: readonly Command[] = [
  command({
    name: "agent",
    alias: "agent setup",
    group: "Develop against Hearth",
    summary: "add Hearth's MCP server and a skill to a coding agent's files in this folder",
    input: agentSetupInput,
    load: async () => (await import("./agent/agent-setup.ts")).setUpAgent,
  }),
  command({
    name: "mcp",
    group: "Develop against Hearth",
    summary: "serve Hearth's tools to an agent on stdin and stdout (Model Context Protocol)",
    input: mcpInput,
    load: async () => (await import("./mcp/mcp-command.ts")).serveAgent,
  }),
];
