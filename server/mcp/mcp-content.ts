/** The form of what an MCP server offers: tools, resources and prompts as data. */
import type {
  CallToolResult,
  GetPromptResult,
  ReadResourceResult,
  ServerContext,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { z } from "zod";

/** The request that calls a tool: its signal, and the way to notify its client. */
export type McpRequest = ServerContext["mcpReq"];

export interface McpTool {
  /** Letters, digits and `_`, as in `fault_arm`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** The schema of `structuredContent`. */
  readonly output?: z.ZodObject;
  readonly annotations?: ToolAnnotations;
  /** @throws an error whose message the client gets as the result */
  call(input: Readonly<Record<string, unknown>>, request: McpRequest): Promise<CallToolResult>;
}

/** The values of the variables in a template. */
export type UriVariables = Readonly<Record<string, string>>;

export interface McpResource {
  readonly name: string;
  /** An address, or a template with variables such as `hearth://requests/{id}`. */
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** @returns the text, or the bytes in base64 */
  read(variables: UriVariables): Promise<{ readonly text: string } | { readonly blob: string }>;
}

export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Texts alone, as the protocol requires. */
  readonly args?: z.ZodObject;
  write(args: Readonly<Record<string, string>>): GetPromptResult["messages"];
}

export interface McpContent {
  /** When to use the server, for the model. */
  readonly instructions?: string;
  readonly tools: readonly McpTool[];
  readonly resources: readonly McpResource[];
  readonly prompts: readonly McpPrompt[];
}

export type ResourceContents = ReadResourceResult["contents"];
