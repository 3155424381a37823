/** The commands of the pages that start a Hearth and run until they are ended, and the README's command in the checkout. */
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { launchHearth, plainEnvironment } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fromCheckout, installCommands, node20 } from "./installed-commands.ts";
import { marked, root } from "./read-blocks.ts";

/** A block's first command, with the lines that continue it. */
const firstCommand = (text: string) => /^(?:.*\\\n)*.*/.exec(text)?.[0] ?? "";

const systemPath = (plainEnvironment()["PATH"] ?? "").split(":").filter((entry) => !entry.includes("node_modules"));
const nodes = { "Node 24": dirname(process.execPath), ...(node20 !== undefined && { "Node 20": node20 }) };

const starts = [...new Set(marked("starts").map(({ text }) => firstCommand(text)))];

describe.each(Object.entries(nodes))("by %s", (_name, folderOfNode) => {
  it("npx hearth in the checkout is this Hearth, without the network", () => {
    using folder = temporaryFolder();
    const env = {
      ...plainEnvironment(),
      PATH: [folderOfNode, ...systemPath].join(":"),
      npm_config_cache: folder.path,
      npm_config_offline: "true",
    };
    const help = execFileSync("npx", ["hearth", "--help"], { cwd: root, env, encoding: "utf8" });
    expect(help).toContain("hearth COMMAND --help");
  });

  it.concurrent.each(starts)("%s starts every service", async (command) => {
    using folder = temporaryFolder();
    const commands = join(folder.path, "bin");
    installCommands(commands, { ...fromCheckout, node: join(folderOfNode, "node") });
    await using hearth = launchHearth({
      command: ["bash", "-c", `exec ${command} "$@"`, "bash"],
      flags: ["--headless"],
      cwd: command.startsWith("npm ") ? root : folder.path,
      env: { PATH: [commands, folderOfNode, ...systemPath].join(":"), HEARTH_STAND_IN_PORT: "0" },
    });
    const { app } = await hearth.ready();
    expect((await fetch(`${app}/readyz`)).status).toBe(200);
  });
});
