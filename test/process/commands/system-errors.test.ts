/** What the system refuses a command is told in one line: a stack helps nobody who has named the wrong folder. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtCommand } from "../../support/process/launch.ts";
import { runCommand, runScript } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const oneLine = (reason: string) => expect.stringMatching(new RegExp(`^hearth: ${reason}.*\n$`)) as string;

it("a file where a folder is due, and a folder that is not there", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  const refused = await Promise.all([
    runCommand(["init", file]),
    runCommand(["init", join(file, "below")]),
    runCommand(["exec", "--", "true"], { TMPDIR: join(folder.path, "none"), TEMP: join(folder.path, "none") }),
    runCommand(["types", "--out", join(file, "client.js")]),
  ]);
  expect(refused).toMatchObject([
    { code: 1, stderr: oneLine("EEXIST") },
    { code: 1, stderr: oneLine("E(EXIST|NOTDIR|NOENT)") },
    { code: 1, stderr: oneLine("ENOENT") },
    { code: 2, stderr: oneLine("--out: .*cannot be written: ") },
  ]);
  expect(readdirSync(folder.path)).toEqual(["file"]);
});

it.skipIf(process.platform === "win32").each(["serve", "exec -- true", "keys list", "init", "backup a"])(
  "a working directory that has been deleted: hearth %s",
  async (command) => {
    using folder = temporaryFolder();
    const script = join(folder.path, "in-deleted.mjs");
    writeFileSync(
      script,
      `import { mkdirSync, rmdirSync } from "node:fs";
      mkdirSync("gone");
      process.chdir("gone");
      rmdirSync("../gone");
      process.argv.splice(1, 1);
      await import(${JSON.stringify(builtCommand)});`,
    );
    const ended = await runScript(script, [builtCommand, ...command.split(" ")], {}, folder.path);
    expect(ended).toMatchObject({ code: 1, stderr: oneLine("ENOENT") });
  },
);
