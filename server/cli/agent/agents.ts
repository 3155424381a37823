/** The coding agents that Hearth can be set up for, with the places of their files in a project. */

export interface Agent {
  /** The file with the MCP servers. */
  readonly config: string;
  /** The member of that file that holds the servers by name. */
  readonly servers: string;
  readonly format: "json" | "toml";
  /** More members of the server's entry. */
  readonly entry?: Readonly<Record<string, string>>;
  /** The folder of the skills. */
  readonly skills: string;
  /** Files and folders that show that a project uses this agent. */
  readonly traces: readonly string[];
}

export const agents: Readonly<Record<string, Agent>> = {
  claude: {
    config: ".mcp.json",
    servers: "mcpServers",
    format: "json",
    skills: ".claude/skills",
    traces: [".mcp.json", ".claude", "CLAUDE.md"],
  },
  cursor: {
    config: ".cursor/mcp.json",
    servers: "mcpServers",
    format: "json",
    skills: ".cursor/skills",
    traces: [".cursor"],
  },
  vscode: {
    config: ".vscode/mcp.json",
    servers: "servers",
    format: "json",
    entry: { type: "stdio" },
    skills: ".github/skills",
    traces: [".vscode"],
  },
  codex: {
    config: ".codex/config.toml",
    servers: "mcp_servers",
    format: "toml",
    skills: ".agents/skills",
    traces: [".codex"],
  },
};
