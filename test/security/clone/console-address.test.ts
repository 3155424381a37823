/** A clone may not move the console to where its own pages were, or its own pages to where the console usually is. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { defaultConsolePort } from "../../../server/contract/process/port-settings.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const start = async (says: object) => {
  using folder = temporaryFolder();
  const [cwd, home] = [join(folder.path, "clone"), join(folder.path, "home")];
  for (const path of [cwd, home]) mkdirSync(path);
  writeFileSync(join(cwd, "hearth.config.json"), JSON.stringify(says));
  return await runCommand(["serve"], { HOME: home, XDG_DATA_HOME: home, TMPDIR: home }, cwd);
};

it("the settings of a clone name no port for the console: a page of it that is still open there would be the console's", async () => {
  expect(await start({ app_port: 3090, console_port: 3080 })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/hearth\.config\.json: console_port: must not be set/) as string,
  });
});

it("the settings of a clone serve nothing at the console's usual port, where a browser keeps the user's chats", async () => {
  for (const name of ["app_port", "provider_port", "model_port", "stand_in_port"])
    for (const port of [defaultConsolePort, String(defaultConsolePort)])
      expect(await start({ [name]: port, stand_in: true }), name).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(`hearth[.]config[.]json: ${name}: 3082 is the console's port`) as string,
      });
});
