import { describe, expect, it } from "vitest";
import { addServer } from "../../../server/cli/agent/merge-config.ts";
import { showDiff } from "../../../server/cli/agent/show-diff.ts";

const entry = { command: "npx", args: ["hearth"] };
const server = { servers: "mcpServers", name: "hearth", entry };
const addTo = (text: string, format: "json" | "toml" = "json") => addServer(text, format, server).text;

describe("addServer", () => {
  it("keeps comments, trailing commas, line ends and indentation of JSON", () => {
    const before = [
      "{",
      "\t// Our servers: { not these }",
      '\t"inputs": [{ "mcpServers": {} }],',
      '\t"mcpServers": {',
      '\t\t"github": { "url": "https://x.example//mcp" }, // kept',
      "\t},",
      "}",
      "",
    ].join("\r\n");
    const [head, tail] = before.split('"mcpServers": {\r\n');
    const added = [
      '\t\t"hearth": {',
      '\t\t\t"command": "npx",',
      '\t\t\t"args": [',
      '\t\t\t\t"hearth"',
      "\t\t\t]",
      "\t\t},",
      "",
    ];
    expect(addTo(before)).toBe(`${head}"mcpServers": {\r\n${added.join("\r\n")}${tail}`);
  });

  it.each([
    "",
    "{}",
    "{ }\n",
    '{"mcpServers":{}}',
    '{ "mcpServers": { "a": {} } }',
    '{ "other": "}" /* { */ }',
    '{ "mcpServers": { // empty\n } }',
  ])("extends JSON of any form: %j", (text) => {
    const added = addTo(text) ?? "";
    expect(addServer(added, "json", server)).toEqual({ text: undefined, isSame: true });
  });

  it.each(["", 'model = "x"', '# servers\n[mcp_servers.a]\ncommand = "a" # kept\n'])("appends to TOML: %j", (text) => {
    const inToml = { ...server, servers: "mcp_servers" };
    const { text: added = "" } = addServer(text, "toml", inToml);
    expect(added.startsWith(text)).toBe(true);
    expect(added).toContain('[mcp_servers.hearth]\ncommand = "npx"\n');
    expect(addServer(added, "toml", inToml)).toEqual({ text: undefined, isSame: true });
  });

  it("tells a different entry of the same name from the same one", () => {
    const other = JSON.stringify({ mcpServers: { hearth: { ...entry, args: [] } } });
    expect(addServer(other, "json", server)).toEqual({ text: undefined, isSame: false });
    expect(addServer('[mcpServers]\nhearth = "mine"', "toml", server)).toEqual({ text: undefined, isSame: false });
  });

  it.each([
    ["json", "{ nonsense"],
    ["json", "[]"],
    ["json", '{ "mcpServers": [] }'],
    ["json", '{ "mcpServers": {}, "mcpServers": {} }'],
    ["toml", "a = "],
    ["toml", "mcpServers = { a = {} }"],
  ] as const)("refuses %s that it cannot extend: %s", (format, text) => {
    expect(() => addTo(text, format)).toThrow(expect.objectContaining({ name: "UnreadableConfig" }));
  });
});

it("showDiff shows the changed lines with three lines around them", () => {
  const before = "a\nb\nc\nd\ne\nf\ng\nh\n";
  expect(showDiff("x", before, before.replace("e\n", "E\ne2\n"))).toBe(
    "--- x\n+++ x\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+e2\n f\n g\n h",
  );
  expect(showDiff("x", undefined, "a\nb\n")).toBe("--- /dev/null\n+++ x\n@@ -0,0 +1,2 @@\n+a\n+b");
});
