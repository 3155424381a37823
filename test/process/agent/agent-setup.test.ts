/** `hearth agent setup`: what it writes into the files of coding agents, and what it leaves. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse as parseYaml } from "yaml";
import { builtCommand, plainEnvironment } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const command = { command: "hearth", args: ["mcp"] };
const files = {
  claude: [".mcp.json", ".claude/skills/hearth/SKILL.md"],
  cursor: [".cursor/mcp.json", ".cursor/skills/hearth/SKILL.md"],
  vscode: [".vscode/mcp.json", ".github/skills/hearth/SKILL.md"],
  codex: [".codex/config.toml", ".agents/skills/hearth/SKILL.md"],
} as const;

/** With pipes that pass for a terminal, where `keys` are pressed at the question. */
async function setUpAsked(cwd: string, keys: string) {
  const NODE_OPTIONS = "--import=data:text/javascript,process.stdin.isTTY=process.stdout.isTTY=true";
  const env = { ...plainEnvironment(), NODE_OPTIONS };
  const child = spawn(process.execPath, [builtCommand, "agent", "setup", "claude"], { cwd, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  await expect.poll(() => output).toContain("Write these files? [y/N] ");
  child.stdin.end(keys);
  const [code] = (await exited) as [number | null];
  return { code, output };
}

/** A project, with files in it. */
function scene(content: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const at = (path: string) => join(folder.path, path);
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  return {
    at,
    read: (path: string) => readFileSync(at(path), "utf8"),
    setUp: (...args: string[]) => runCommand(["agent", "setup", ...args], {}, folder.path),
    setUpAsked: (keys: string) => setUpAsked(folder.path, keys),
  };
}

describe("hearth agent setup", () => {
  it.each(Object.entries(files))(
    "writes new files for %s, shows them first, and changes nothing again",
    async (agent, [config, skill]) => {
      const { setUp, read } = scene();
      const { code, stdout } = await setUp(agent, "--yes");
      expect(code).toBe(0);
      for (const path of [config, skill]) {
        expect(stdout).toContain(`--- /dev/null\n+++ ${path}\n`);
        expect(stdout).toContain(`\nwrote ${path}\n`);
        expect(stdout.indexOf(`+++ ${path}`)).toBeLessThan(stdout.indexOf("wrote "));
      }
      const written = [read(config), read(skill)];
      const again = await setUp(agent, "--yes");
      expect([again.code, again.stdout]).toEqual([
        0,
        `kept ${config}: it already has this server\nkept ${skill}: it already has this text\n`,
      ]);
      expect([read(config), read(skill)]).toEqual(written);
    },
  );

  it("writes the form that each agent reads", async () => {
    const { setUp, read } = scene();
    for (const agent of Object.keys(files)) await setUp(agent, "--yes");
    const json = (path: string) => JSON.parse(read(path)) as unknown;
    expect(json(".mcp.json")).toEqual({ mcpServers: { hearth: command } });
    expect(json(".cursor/mcp.json")).toEqual({ mcpServers: { hearth: command } });
    expect(json(".vscode/mcp.json")).toEqual({ servers: { hearth: { type: "stdio", ...command } } });
    expect(read(".codex/config.toml")).toBe('[mcp_servers.hearth]\ncommand = "hearth"\nargs = [ "mcp" ]\n');
  });

  it("runs the command of the project's own package where it has hearthkit", async () => {
    const { setUp, read } = scene({ "node_modules/hearthkit/package.json": "{}" });
    await setUp("claude", "--yes");
    expect(JSON.parse(read(".mcp.json"))).toEqual({
      mcpServers: { hearth: { command: "npx", args: ["--no-install", "hearth", "mcp"] } },
    });
  });

  it("adds the server to those that are there, and keeps a different entry and a different skill", async () => {
    const mine = '{ "mcpServers": { "hearth": { "command": "mine" } } }';
    const { setUp, read } = scene({
      ".vscode/mcp.json": '{\n  // ours\n  "servers": { "github": {} },\n}\n',
      ".cursor/mcp.json": mine,
      ".cursor/skills/hearth/SKILL.md": "My own",
    });
    const { code, stdout } = await setUp("--yes");
    expect(code).toBe(0);
    expect(read(".vscode/mcp.json")).toMatch(
      /\/\/ ours\n {2}"servers": \{\n {4}"hearth": \{[^]*\},\n {4}"github": \{\}\n {2}\},\n\}\n$/,
    );
    expect([read(".cursor/mcp.json"), read(".cursor/skills/hearth/SKILL.md")]).toEqual([mine, "My own"]);
    expect(stdout).toContain('kept .cursor/mcp.json: its server "hearth" differs\n');
    expect(stdout).toContain("kept .cursor/skills/hearth/SKILL.md: its text differs");
  });

  it("writes nothing at all where a configuration is invalid, or leads out of the folder", async () => {
    const { setUp, read, at } = scene({ ".mcp.json": "{ nonsense" });
    const { code, stdout, stderr } = await setUp("claude", "--yes");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^hearth: \.mcp\.json cannot be extended: .+\. Nothing was written\.\n$/);
    expect([read(".mcp.json"), existsSync(at(".claude"))]).toEqual(["{ nonsense", false]);
    symlinkSync("..", at(".cursor"));
    expect(await setUp("cursor", "--yes")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("contains a link out of this folder"),
    });
  });

  it("shows the changes, writes nothing, and ends with 2 where nobody can answer", async () => {
    const { setUp, at } = scene();
    const { code, stdout, stderr } = await setUp("claude");
    expect([code, stdout]).toEqual([2, expect.stringContaining('+    "hearth": {\n')]);
    expect(stderr).toBe("Nothing was written. To write these files, add --yes.\n");
    expect([".mcp.json", ".claude"].filter((path) => existsSync(at(path)))).toEqual([]);
  });

  it("asks at a terminal, and does as it is answered", async () => {
    const { setUpAsked: answer, at } = scene();
    expect(await answer("n\n")).toEqual({ code: 1, output: expect.stringMatching(/Nothing was written\.\n$/) });
    expect(existsSync(at(".mcp.json"))).toBe(false);
    expect(await answer("y\n")).toMatchObject({ code: 0 });
    expect(files.claude.every((path) => existsSync(at(path)))).toBe(true);
  });

  it("names the agents where the folder has files of none, or the name is of none", async () => {
    const { setUp } = scene();
    for (const args of [[], ["emacs"]])
      expect(await setUp(...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("claude, cursor, vscode, codex"),
      });
  });

  it("writes a skill in the open format", async () => {
    const { setUp, read } = scene();
    await setUp("claude", "--yes");
    const [, front = ""] = /^---\n([^]*?)\n---\n/.exec(read(files.claude[1])) ?? [];
    const { name, description, ...rest } = parseYaml(front) as Record<string, string>;
    expect([name, Object.keys(rest)]).toEqual(["hearth", []]);
    expect(description).toMatch(/Use .*when/);
    expect(description?.length).toBeLessThanOrEqual(1_024);
  });
});
