import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../../../server/contract/console/console.ts";
import { checkoutOf, commandName, ownCommand } from "../../../server/process/terminal/own-command.ts";
import { defaultDataDir } from "../../../server/process/settings/read-settings.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A checkout, and a folder of the path and a project whose `hearth` lead to `target` in it. */
function scene(folder: string, target = "cli.js") {
  const [dist, bin] = [join(folder, "checkout", "dist"), join(folder, "bin")];
  const ofProject = join(folder, "project", "node_modules", ".bin");
  for (const path of [dist, bin, ofProject]) mkdirSync(path, { recursive: true });
  for (const name of ["dist/cli.js", "dist/other.js", "package.json"])
    writeFileSync(join(folder, "checkout", name), "");
  for (const path of [bin, ofProject]) symlinkSync(join(dist, target), join(path, "hearth"));
  return { cli: join(dist, "cli.js"), bin, ofProject };
}
const pathOf = (...folders: string[]) => ({ PATH: folders.join(delimiter) });

describe("the command that people type", () => {
  it("is hearth where the path leads to this very program", () => {
    using folder = temporaryFolder();
    const { cli, bin } = scene(folder.path);
    expect(commandName(cli, pathOf("/no/such/folder", bin), "linux")).toBe("hearth");
  });

  it("is Node and its own file everywhere else, in a checkout or project too: npx may run somebody else's package", () => {
    using folder = temporaryFolder();
    using other = temporaryFolder();
    const { cli, ofProject } = scene(folder.path);
    const { bin: foreign } = scene(other.path, "other.js");
    for (const path of ["/no/such/folder", ofProject, foreign])
      expect(commandName(cli, pathOf(path), "linux")).toBe(`node ${cli}`);
    expect(commandName("/it's/cli.js", pathOf(), "linux")).toBe("node '/it'\\''s/cli.js'");
  });

  it("can be linked as hearth in a checkout, which has a lockfile, and not in an installed package", () => {
    using folder = temporaryFolder();
    const { cli } = scene(folder.path);
    const checkout = dirname(dirname(cli));
    expect(checkoutOf(cli)).toBeUndefined();
    writeFileSync(join(checkout, "package-lock.json"), "{}");
    expect(checkoutOf(cli)).toBe(checkout);
  });

  it("names the data directory where it is not the usual one, as a shell takes it", () => {
    expect(commandLine(ownCommand("hearth", defaultDataDir()), "token")).toBe("hearth token");
    expect(commandLine(ownCommand("hearth", "/tmp/d-1"), "token")).toBe("hearth token --data-dir /tmp/d-1");
    expect(commandLine(ownCommand("hearth", "/tmp/it's mine"), "open")).toMatch(
      process.platform === "win32" ? /"\/tmp\/it's mine"$/ : /'\/tmp\/it'\\''s mine'$/,
    );
  });
});
