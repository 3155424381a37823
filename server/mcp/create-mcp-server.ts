import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { McpContent, McpPrompt, McpResource, McpTool, ResourceContents, UriVariables } from "./mcp-content.ts";

/** @param version of Hearth, which clients show */
export function createMcpServer({ instructions, tools, resources, prompts }: McpContent, version: string): McpServer {
  // All of them are always the same: nothing is announced later.
  const fixed = { listChanged: false };
  const server = new McpServer(
    { name: "hearth", title: "Hearth", version },
    {
      capabilities: { tools: fixed, resources: fixed, prompts: fixed },
      ...(instructions !== undefined && { instructions }),
    },
  );
  for (const tool of tools) addTool(server, tool);
  for (const resource of resources) addResource(server, resource);
  for (const prompt of prompts) addPrompt(server, prompt);
  return server;
}

function addTool(server: McpServer, tool: McpTool): void {
  const { name, title, description, input, output, annotations } = tool;
  server.registerTool(
    name,
    {
      ...{ title, description, inputSchema: input },
      ...(output && { outputSchema: output }),
      ...(annotations && { annotations }),
    },
    (values, { mcpReq }) => tool.call(values, mcpReq),
  );
}

function addResource(server: McpServer, resource: McpResource): void {
  const { name, uri, title, description, mimeType } = resource;
  const about = { title, description, mimeType };
  const contents = async (at: URL, variables: UriVariables): Promise<{ contents: ResourceContents }> => ({
    contents: [{ uri: at.href, mimeType, ...(await resource.read(variables)) }],
  });
  if (!uri.includes("{")) server.registerResource(name, uri, about, (at) => contents(at, {}));
  else
    server.registerResource(name, new ResourceTemplate(uri, { list: undefined }), about, (at, variables) =>
      contents(at, Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, decoded(value)]))),
    );
}

const decoded = (value: string | string[]) => decodeURIComponent([value].flat().join(","));

function addPrompt(server: McpServer, prompt: McpPrompt): void {
  const { name, title, description, args } = prompt;
  if (args === undefined) server.registerPrompt(name, { title, description }, () => ({ messages: prompt.write({}) }));
  else
    server.registerPrompt(name, { title, description, argsSchema: args }, (values) => ({
      messages: prompt.write(values as Record<string, string>),
    }));
}
