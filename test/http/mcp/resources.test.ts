/** The resources and prompts for agents. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { readGuides } from "../../../server/mcp/resources/guide-files.ts";
import { connectAgent, startMcpApp } from "../../support/mcp/mcp-app.ts";

let mcp: Awaited<ReturnType<typeof startMcpApp>>;
let agent: Awaited<ReturnType<typeof connectAgent>>;
beforeAll(async () => {
  mcp = await startMcpApp();
  agent = await connectAgent(mcp.url);
});
afterAll(async () => {
  await agent.close();
  await mcp[Symbol.asyncDispose]();
});

async function read(uri: string): Promise<string> {
  const [first] = (await agent.readResource({ uri })).contents;
  return first && "text" in first ? first.text : "";
}

/** A text from its first part and those that each part names. */
async function readAll(uri: string): Promise<string> {
  const part = await read(uri);
  const [end, rest = ""] = /\n\n\(\d+ more characters: read (\S+)\)$/.exec(part) ?? [];
  return end === undefined ? part : part.slice(0, -end.length) + (await readAll(rest));
}

it("every guide is a resource with a title, and is read in parts of at most 16,000 characters", async () => {
  const { resources } = await agent.listResources();
  const guides = await readGuides();
  expect(Object.keys(guides)).toEqual(expect.arrayContaining(["guides/payments", "reference/settings"]));
  for (const [path, markdown] of Object.entries(guides)) {
    const uri = `hearth://docs/${path}`;
    expect(resources.find((one) => one.uri === uri)?.title).toMatch(/\S/);
    expect((await read(uri)).length).toBeLessThan(16_200);
    expect(await readAll(uri)).toBe(markdown);
  }
});

it("how far the platform is simulated is read in parts", async () => {
  const lines = (await readAll("hearth://fidelity")).split("\n");
  expect(lines.length).toBeGreaterThan(500);
  for (const line of lines) expect(line).toMatch(/^(exact|partial|not_simulated) [A-Z]+ \//);
});

it("the last requests are a resource, and each of them", async () => {
  await agent.callTool({ name: "order", arguments: { amount: 199 } });
  const { requests } = JSON.parse(await readAll("hearth://requests")) as { requests: { id: number; path: string }[] };
  const placed = requests.find(({ path }) => path === "/api/orders");
  expect(JSON.parse(await readAll(`hearth://requests/${String(placed?.id)}`))).toMatchObject({
    ...placed,
    request: { body: { text: expect.stringContaining("199") } },
  });
});

it("an address that leads nowhere is refused by its code", async () => {
  for (const uri of ["hearth://docs/guides/none", "hearth://docs/guides/none/from/1", "hearth://api/none/op"])
    await expect(agent.readResource({ uri })).rejects.toMatchObject({ code: expect.any(Number) });
});

it("each prompt names its arguments, and writes them into its text", async () => {
  const { prompts } = await agent.listPrompts();
  expect(prompts.map(({ name }) => name)).toContain("unpaid_order");
  for (const { name, arguments: args = [] } of prompts) {
    const values = Object.fromEntries(args.map((arg) => [arg.name, `value-of-${arg.name}`]));
    const { messages } = await agent.getPrompt({ name, arguments: values });
    const text = messages.map(({ content }) => (content.type === "text" ? content.text : "")).join();
    for (const value of Object.values(values)) expect(text).toContain(value);
  }
});

it("prompts name tools and guides that exist", async () => {
  const { prompts } = await agent.listPrompts();
  const tools = (await agent.listTools()).tools.map(({ name }) => name);
  for (const { name, arguments: args = [] } of prompts) {
    const { messages } = await agent.getPrompt({
      name,
      arguments: Object.fromEntries(args.map((arg) => [arg.name, "x"])),
    });
    const text = JSON.stringify(messages);
    for (const [, tool = ""] of text.matchAll(/(?:with|check|as) \\"(\w+)\\"/g)) expect(tools).toContain(tool);
    for (const [uri] of text.matchAll(/hearth:\/\/docs\/[\w/-]+/g)) expect(await read(uri)).toMatch(/^# /);
  }
});
