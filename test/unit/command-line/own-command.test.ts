import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../../../server/contract/console/console.ts";
import { commandName, ownCommand } from "../../../server/process/terminal/own-command.ts";
import { defaultDataDir } from "../../../server/process/settings/read-settings.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A checkout, and a folder of the path and a project whose `hearth` lead to `target` in it. */
function scene(folder: string, target = "cli.js") {
  const [dist, bin, project] = [join(folder, "checkout", "dist"), join(folder, "bin"), join(folder, "project")];
  const ofProject = join(project, "node_modules", ".bin");
  for (const path of [dist, bin, ofProject, join(project, "src")]) mkdirSync(path, { recursive: true });
  for (const name of ["dist/cli.js", "dist/other.js", "package.json"])
    writeFileSync(join(folder, "checkout", name), "");
  for (const path of [bin, ofProject]) symlinkSync(join(dist, target), join(path, "hearth"));
  return { cli: join(dist, "cli.js"), bin, project, ofProject };
}
const pathOf = (...folders: string[]) => ({ PATH: folders.join(delimiter) });

describe("the command that people type", () => {
  it("is hearth where the path leads to this very program", () => {
    using folder = temporaryFolder();
    const { cli, bin } = scene(folder.path);
    expect(commandName(cli, pathOf("/no/such/folder", bin), "linux")).toBe("hearth");
  });

  it("is npx hearth in the checkout and below a project that has it, with nothing else on the path", () => {
    using folder = temporaryFolder();
    using other = temporaryFolder();
    const { cli, ofProject, project } = scene(folder.path);
    const { bin: foreign } = scene(other.path, "other.js");
    mkdirSync(join(project, "dist"));
    for (const name of ["package.json", "dist/cli.js"]) writeFileSync(join(project, name), "");
    for (const cwd of [dirname(dirname(cli)), project, join(project, "src")])
      for (const path of ["/no/such/folder", ofProject, foreign])
        expect(commandName(cli, pathOf(path), "linux", cwd)).toBe("npx hearth");
  });

  it("is its own file where npx would run another package, or ask the registry for one", () => {
    using folder = temporaryFolder();
    using other = temporaryFolder();
    const { cli } = scene(folder.path);
    const { project: foreign } = scene(other.path, "other.js");
    const nested = join(dirname(dirname(cli)), "example");
    mkdirSync(nested);
    writeFileSync(join(nested, "package.json"), "{}");
    for (const cwd of [folder.path, foreign, nested, other.path])
      expect(commandName(cli, pathOf(), "linux", cwd)).toBe(`node ${cli}`);
    expect(commandName("/it's/cli.js", pathOf(), "linux", folder.path)).toBe("node '/it'\\''s/cli.js'");
  });

  it("names the data directory where it is not the usual one, as a shell takes it", () => {
    expect(commandLine(ownCommand("hearth", defaultDataDir()), "token")).toBe("hearth token");
    expect(commandLine(ownCommand("hearth", "/tmp/d-1"), "token")).toBe("hearth token --data-dir /tmp/d-1");
    expect(commandLine(ownCommand("npx hearth", "/tmp/it's mine"), "open")).toMatch(
      process.platform === "win32" ? /"\/tmp\/it's mine"$/ : /'\/tmp\/it'\\''s mine'$/,
    );
  });
});
