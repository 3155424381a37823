/** A data directory that came with a clone counts only once the user has named it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtCommand, plainEnvironment } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function clone() {
  const folder = temporaryFolder();
  const [cwd, home] = [join(folder.path, "clone"), join(folder.path, "home")];
  for (const path of [cwd, home]) mkdirSync(path);
  writeFileSync(join(cwd, "hearth.config.json"), JSON.stringify({ data_dir: "data" }));
  const env = { HOME: home, XDG_DATA_HOME: home, TMPDIR: home };
  return {
    cwd,
    data: join(cwd, "data"),
    home,
    env,
    hearth: (...args: string[]) => runCommand(args, env, cwd),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];

it("is refused by every command until then", async () => {
  using folder = clone();
  mkdirSync(folder.data);
  writeFileSync(join(folder.data, "keys.json"), '{"keys":[]}');
  const refusal = expect.stringMatching(
    /clone\/data contains files that your Hearth did not create.*--data-dir/,
  ) as string;
  for (const args of [["serve", ...ports], ["keys"], ["devices"], ["backup", "x.tar"], ["ca"], ["uninstall"]])
    expect(await folder.hearth(...args), args[0]).toMatchObject({ code: 2, stderr: refusal });
  expect(await folder.hearth("doctor", "--quick", ...ports)).toMatchObject({ code: 1, stdout: refusal });
  expect(readdirSync(folder.data)).toEqual(["keys.json"]);

  expect(await folder.hearth("ca", "--data-dir", "data")).toMatchObject({ code: 0 });
  expect(await folder.hearth("keys")).toMatchObject({ code: 0, stderr: "" });
});

it("is the user's where a command has made it", async () => {
  using folder = clone();
  expect(await folder.hearth("keys", "add", "mine")).toMatchObject({ code: 0 });
  expect(readdirSync(folder.data)).toContain("keys.json");
  expect(await folder.hearth("keys")).toMatchObject({ code: 0, stdout: expect.stringContaining("mine") as string });
});

it("is the user's where a watch has made it", async () => {
  using folder = clone();
  const child = spawn(process.execPath, [builtCommand, "watch", ".", "--to", "http://127.0.0.1:9/"], {
    cwd: folder.cwd,
    env: { ...plainEnvironment(), ...folder.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let printed = "";
  child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
  await expect.poll(() => printed).toContain("watching");
  child.kill("SIGTERM");
  await exited;
  expect(readdirSync(folder.data)).toContain("watch");
  expect(await folder.hearth("keys")).toMatchObject({ code: 0, stderr: "" });
});

it("is the user's where a script of Hearth's checkout has made it, which runs in another folder", async () => {
  using folder = clone();
  const env = { ...folder.env, npm_package_name: "hearthkit", INIT_CWD: folder.cwd };
  const hearth = (...args: string[]) => runCommand(args, env, folder.home);
  expect(await hearth("keys", "add", "mine")).toMatchObject({ code: 0 });
  expect(await hearth("keys")).toMatchObject({ code: 0, stdout: expect.stringContaining("mine") as string });
});
