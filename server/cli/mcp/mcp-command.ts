/** `hearth mcp`: the running Hearth for agents, by the Model Context Protocol on stdin and stdout. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { once } from "node:events";
import type { z } from "zod";
import { actions } from "../../actions/actions.ts";
import { createMcpServer } from "../../mcp/create-mcp-server.ts";
import { hearthContent } from "../../mcp/hearth-content.ts";
import { printError } from "../../process/terminal/print-text.ts";
import { locateHearth } from "../action-commands.ts";
import type { CommandContext } from "../command.ts";
import type { mcpInput } from "./mcp-input.ts";

/** Serves one client until it closes stdin. */
export async function serveAgent(
  { read_only = false, ...flags }: z.output<typeof mcpInput>,
  context: CommandContext,
): Promise<number> {
  const locate = () => locateHearth(flags, context);
  const content = await hearthContent({ actions, locate, isReadOnly: read_only });
  const server = serveStdio(() => createMcpServer(content, context.version), {
    onerror: ({ message }) => printError(message),
  });
  await once(process.stdin, "close");
  await server.close();
  return 0;
}
