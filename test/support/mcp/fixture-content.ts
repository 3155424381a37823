/** The tools, resources and prompts that the protocol's conformance suite asks for, in the form of Hearth's own. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { action, type HearthAction } from "../../../server/actions/action.ts";
import { ActionError } from "../../../server/actions/action-error.ts";
import { actionTools } from "../../../server/mcp/action-tools.ts";
import type { McpContent, McpPrompt, McpResource, McpTool } from "../../../server/mcp/mcp-content.ts";
import { pngBytes } from "../files.ts";

const picture = { type: "image" as const, data: Buffer.from(pngBytes(1, 1)).toString("base64"), mimeType: "image/png" };
/** A WAV of no samples. */
const sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const noInput = z.object({});
const reading = { group: "Traffic", effect: "reads", input: noInput } as const;
const address = z.object({ street: z.string().optional(), city: z.string().optional() }).meta({ id: "address" });

const actions: readonly HearthAction[] = [
  action({
    ...reading,
    name: "test simple text",
    summary: "return a text",
    output: z.string(),
    run: async () => "This is a simple text response for testing.",
    print: (text) => text,
  }),
  action({
    ...reading,
    name: "test error handling",
    summary: "fail",
    output: z.string(),
    run() {
      throw new ActionError("This tool intentionally returns an error for testing");
    },
    print: (text) => text,
  }),
  action({
    ...reading,
    name: "json schema 2020 12 tool",
    summary: "read an object with a definition",
    input: z.object({ name: z.string().optional(), address: address.optional() }),
    output: z.string(),
    run: async () => "read",
    print: (text) => text,
  }),
];

const tool = (name: string, call: McpTool["call"]): McpTool => ({
  name,
  title: name,
  description: name,
  input: noInput,
  call,
});
const returning = (name: string, ...content: CallToolResult["content"]) => tool(name, async () => ({ content }));
const embedded = (uri: string, mimeType: string, text: string) =>
  ({ type: "resource", resource: { uri, mimeType, text } }) as const;

const tools = [
  returning("test_image_content", picture),
  returning("test_audio_content", { type: "audio", data: sound, mimeType: "audio/wav" }),
  returning(
    "test_embedded_resource",
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ),
  returning(
    "test_multiple_content_types",
    { type: "text", text: "Multiple content types test:" },
    picture,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ),
  tool("test_tool_with_progress", async (_input, { notify, _meta }) => {
    for (const progress of [0, 50, 100]) {
      const { progressToken = "" } = _meta ?? {};
      await notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await setTimeout(1);
    }
    return { content: [{ type: "text", text: "done" }] };
  }),
];

const resource = (uri: string, mimeType: string, read: McpResource["read"]): McpResource => ({
  ...{ name: uri, title: uri, description: uri },
  ...{ uri, mimeType, read },
});

const resources = [
  resource("test://static-text", "text/plain", async () => ({
    text: "This is the content of the static text resource.",
  })),
  resource("test://static-binary", "image/png", async () => ({ blob: picture.data })),
  resource("test://template/{id}/data", "application/json", async ({ id }) => ({
    text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id ?? ""}` }),
  })),
];

const text = (value: string) => ({ role: "user", content: { type: "text", text: value } }) as const;
const prompt = (name: string, write: McpPrompt["write"], args?: z.ZodObject): McpPrompt => ({
  ...{ name, title: name, description: name, write },
  ...(args && { args }),
});

const prompts = [
  prompt("test_simple_prompt", () => [text("This is a simple prompt for testing.")]),
  prompt(
    "test_prompt_with_arguments",
    ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1 ?? ""}', arg2='${arg2 ?? ""}'`)],
    z.object({ arg1: z.string(), arg2: z.string() }),
  ),
  prompt(
    "test_prompt_with_embedded_resource",
    ({ resourceUri = "" }) => [
      { role: "user", content: embedded(resourceUri, "text/plain", "Embedded resource content for testing.") },
      text("Please process the embedded resource above."),
    ],
    z.object({ resourceUri: z.string() }),
  ),
  prompt("test_prompt_with_image", () => [{ role: "user", content: picture }, text("Please analyze the image above.")]),
];

const addresses = { app: "http://127.0.0.1:1", provider: "http://127.0.0.1:1", consoleToken: "" };

export const fixtureContent: McpContent = {
  tools: [...actionTools(actions, async () => addresses, false), ...tools],
  resources,
  prompts,
};
