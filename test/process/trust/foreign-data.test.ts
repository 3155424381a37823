/** A data directory that came with a clone counts only once the user has named it. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function clone() {
  const folder = temporaryFolder();
  const [cwd, home] = [join(folder.path, "clone"), join(folder.path, "home")];
  for (const path of [cwd, home]) mkdirSync(path);
  writeFileSync(join(cwd, "hearth.config.json"), JSON.stringify({ data_dir: "data" }));
  return {
    data: join(cwd, "data"),
    home,
    hearth: (...args: string[]) => runCommand(args, { HOME: home, XDG_DATA_HOME: home, TMPDIR: home }, cwd),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];

it("is refused by every command until then", async () => {
  using folder = clone();
  mkdirSync(folder.data);
  writeFileSync(join(folder.data, "keys.json"), '{"keys":[]}');
  const refusal = expect.stringMatching(
    /clone\/data has files in it that your Hearth has not made.*--data-dir/,
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
