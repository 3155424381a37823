import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../../../server/contract/console/console.ts";
import { commandName, ownCommand } from "../../../server/process/terminal/own-command.ts";
import { defaultDataDir } from "../../../server/process/settings/read-settings.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A checkout, and a folder of the path whose `hearth` leads to `target` in it. */
function scene(folder: string, target = "cli.js") {
  const [checkout, bin] = [join(folder, "checkout"), join(folder, "bin")];
  const ofProject = join(folder, "project", "node_modules", ".bin");
  for (const path of [checkout, bin, ofProject]) mkdirSync(path, { recursive: true });
  for (const name of ["cli.js", "other.js"]) writeFileSync(join(checkout, name), "");
  for (const path of [bin, ofProject]) symlinkSync(join(checkout, target), join(path, "hearth"));
  return { cli: join(checkout, "cli.js"), bin, ofProject };
}
const pathOf = (...folders: string[]) => ({ PATH: folders.join(delimiter) });

describe("the command that people type", () => {
  it("is hearth where the path leads to this very program", () => {
    using folder = temporaryFolder();
    const { cli, bin } = scene(folder.path);
    expect(commandName(cli, pathOf("/no/such/folder", bin), "linux")).toBe("hearth");
  });

  it("is npx hearth where nothing, another program, or only what npx adds is on the path", () => {
    using folder = temporaryFolder();
    using other = temporaryFolder();
    const { cli, ofProject } = scene(folder.path);
    const { bin: foreign } = scene(other.path, "other.js");
    for (const path of ["/no/such/folder", ofProject, foreign])
      expect(commandName(cli, pathOf(path), "linux")).toBe("npx hearth");
  });

  it("names the data directory where it is not the usual one, as a shell takes it", () => {
    expect(commandLine(ownCommand("hearth", defaultDataDir()), "token")).toBe("hearth token");
    expect(commandLine(ownCommand("hearth", "/tmp/d-1"), "token")).toBe("hearth token --data-dir /tmp/d-1");
    expect(commandLine(ownCommand("npx hearth", "/tmp/it's mine"), "open")).toMatch(
      process.platform === "win32" ? /"\/tmp\/it's mine"$/ : /'\/tmp\/it'\\''s mine'$/,
    );
  });
});
