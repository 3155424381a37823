/** What `hearth exec` makes of files that cannot be read or written, and of its command's exit code then. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Runs `hearth exec FLAGS` in a folder, with a command that makes the folder `makes` and ends with `code`. */
async function execIn(folder: string, flags: readonly string[], { code = 0, makes = "ran" } = {}) {
  const script = `require("fs").mkdirSync("${makes}"); process.exit(${String(code)})`;
  const ended = await runCommand(["exec", ...flags, "--", process.execPath, "-e", script], {}, folder);
  return { ...ended, hasRun: existsSync(join(folder, makes)) };
}

describe("hearth exec", () => {
  it("makes the folder of its coverage, and keeps the command's exit code", async () => {
    using folder = temporaryFolder();
    expect(await execIn(folder.path, ["--coverage=reports/routes.json"], { code: 5 })).toMatchObject({ code: 5 });
    expect(JSON.parse(readFileSync(join(folder.path, "reports", "routes.json"), "utf8"))).toMatchObject({ called: 0 });
  });

  it.each(["--coverage=file/routes.json", "--coverage=folder"])("refuses %s before the command runs", async (flag) => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "file"), "");
    mkdirSync(join(folder.path, "folder"));
    const { code, stderr, hasRun } = await execIn(folder.path, [flag]);
    expect([code, hasRun]).toEqual([2, false]);
    expect(stderr).toMatch(/^hearth: --coverage: .*\n$/);
  });

  it.each([
    [5, 5],
    [0, 1],
  ])("says in a line what cannot be written at the end, and makes %i of the command %i", async (code, due) => {
    using folder = temporaryFolder();
    const flags = ["--export-on-exit", "state"];
    const ended = await execIn(folder.path, flags, { code, makes: "state/provider.json" });
    expect(ended).toMatchObject({ code: due, hasRun: true });
    expect(ended.stderr).toMatch(/^hearth: EISDIR.*provider[.]json'\n$/);
    expect(readdirSync(join(folder.path, "state"))).toEqual(["data.json", "hearth-fixture", "provider.json"]);
    // Now it is there before the command runs.
    const refused = await execIn(folder.path, flags);
    expect(refused).toMatchObject({ code: 2, hasRun: false });
    expect(refused.stderr).toMatch(
      /^hearth: --export-on-exit: .*provider[.]json cannot be written: the path is a folder\n$/,
    );
  });

  it.each([
    ["routes.json", "no JSON"],
    ["collections/books.json", '{ "properties": 7 }'],
  ])("does not run the command when %s of the imported folder is broken, and names the place", async (name, text) => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "state", "collections"), { recursive: true });
    writeFileSync(join(folder.path, "state", name), text);
    const { code, stderr, hasRun } = await execIn(folder.path, ["--import", "state"]);
    expect([code, hasRun]).toEqual([1, false]);
    expect(stderr).toMatch(new RegExp(`^hearth: .*${name}:1:\\d+: .*\\n$`, "m"));
  });
});
