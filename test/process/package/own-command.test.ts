/** The command that the console names is the one that works, however Hearth came to this machine. */
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { commandLine, type Overview } from "../../../server/contract/console/console.ts";
import { launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const run = promisify(execFile);
const checkout = fileURLToPath(new URL("../../../", import.meta.url));

/** npm that can ask nobody and keeps nothing but in `folder`. */
const npmEnvironment = (folder: string) => ({
  ...plainEnvironment(),
  PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
  npm_config_cache: join(folder, "npm-cache"),
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
  NODE_DISABLE_COMPILE_CACHE: "1",
});

async function commandOf(hearth: ReturnType<typeof launchHearth>) {
  const { console: address } = await hearth.ready();
  const { origin, searchParams } = new URL(address);
  const headers = { authorization: `Bearer ${searchParams.get("token")}` };
  return ((await (await fetch(`${origin}/console/api/overview`, { headers })).json()) as Overview).command;
}

describe("the command of a Hearth", () => {
  it("that runs in its checkout is Node and its file, which works in any other folder", async () => {
    using folder = temporaryFolder();
    using data = temporaryFolder();
    await using hearth = launchHearth({ dataDir: data.path, cwd: checkout });
    const command = await commandOf(hearth);
    expect(command).toEqual({ name: `node ${join(checkout, "dist", "cli.js")}`, flags: `--data-dir ${data.path}` });
    const inFolder = { cwd: folder.path, env: npmEnvironment(folder.path) };
    const { stdout } = await run("sh", ["-c", commandLine(command, "login ada")], inFolder);
    expect(stdout).toMatch(/^[\w-]{43}\n$/);
    // The commands that the start prints.
    const [open, link] = [commandLine(command, "open --print"), `cd ${checkout.slice(0, -1)} && npm link`];
    await hearth.prints(`Log in    ${open}`);
    await hearth.prints(`Command   ${link}`);
    expect((await run("sh", ["-c", open], inFolder)).stdout).toMatch(/^http:\S+[?]code=\S+\n$/);
    const env = { ...inFolder.env, npm_config_prefix: folder.path };
    await run("sh", ["-c", link], { cwd: folder.path, env });
    expect((await run(join(folder.path, "bin", "hearth"), ["--version"], inFolder)).stdout).toMatch(/^\d+[.]/);
  });

  it("that npm install -g has installed from the checkout is hearth, anywhere", async () => {
    using folder = temporaryFolder();
    using data = temporaryFolder();
    const npm = npmEnvironment(folder.path);
    await run("npm", ["install", "-g", "--prefix", folder.path, checkout], { cwd: folder.path, env: npm });
    const env = { ...npm, PATH: `${join(folder.path, "bin")}:${npm.PATH}` };
    await using hearth = launchHearth({
      command: ["hearth", "serve"],
      cwd: folder.path,
      env: { PATH: env.PATH },
      dataDir: data.path,
    });
    expect(await commandOf(hearth)).toEqual({ name: "hearth", flags: `--data-dir ${data.path}` });
    for (const name of ["hearth", "hearthkit"]) {
      const { stdout } = await run(name, ["login", "ada", "--data-dir", data.path], { cwd: folder.path, env });
      expect(stdout).toMatch(/^[\w-]{43}\n$/);
    }
  });
});
