/** The code of routes in a clone runs only once the user has named its file. */
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeFileName } from "../../../server/process/settings/code-folder.ts";
import { routesFile } from "../../support/app/code-files.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function clone() {
  const folder = temporaryFolder();
  const [cwd, home] = [join(folder.path, "clone"), join(folder.path, "home")];
  for (const path of [cwd, home]) mkdirSync(path);
  const ran = join(folder.path, "ran");
  const write = (at = cwd) =>
    writeFileSync(
      join(at, codeFileName),
      `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(ran)}, "");\n${routesFile('get("/mine", () => "mine");')}`,
    );
  write();
  const env = { HOME: home, XDG_DATA_HOME: home };
  return {
    cwd,
    write,
    ran: () => existsSync(ran),
    launch: (...flags: string[]) => launchHearth({ cwd, env, flags }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const answerOf = async (app: string) => (await fetch(`${app}/mine`)).status;

describe("the code of routes in a clone", () => {
  it("does not run until a start has named it, and a warning says how", async () => {
    using folder = clone();
    {
      await using hearth = folder.launch();
      expect(await answerOf((await hearth.ready()).app)).toBe(404);
      await hearth.prints(
        /hearth\.routes\.ts is not run, because others may have written it.*--routes hearth\.routes\.ts/,
      );
    }
    expect(folder.ran()).toBe(false);
    {
      await using hearth = folder.launch("--routes", codeFileName);
      expect(await answerOf((await hearth.ready()).app)).toBe(200);
    }
    await using hearth = folder.launch();
    expect(await answerOf((await hearth.ready()).app)).toBe(200);
    expect(hearth.outputSoFar()).not.toContain("is not run");
  });

  it("does not run in a folder that has replaced the confirmed one", async () => {
    using folder = clone();
    {
      await using hearth = folder.launch("--routes", codeFileName);
      await hearth.ready();
    }
    renameSync(folder.cwd, `${folder.cwd}-before`);
    mkdirSync(folder.cwd);
    folder.write();
    await using hearth = folder.launch();
    expect(await answerOf((await hearth.ready()).app)).toBe(404);
    await hearth.prints("hearth.routes.ts is not run");
  });

  it("cannot be named by the clone's own settings", async () => {
    using folder = clone();
    writeFileSync(join(folder.cwd, "hearth.config.json"), JSON.stringify({ routes: codeFileName }));
    await using hearth = folder.launch();
    expect(await hearth.exited).toBe(2);
    expect(hearth.output()).toContain("hearth.config.json: routes: must not be set");
    expect(folder.ran()).toBe(false);
  });
});
