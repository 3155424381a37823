import { expect, it } from "vitest";
import { SettingsError } from "../../../server/process/settings/read-settings.ts";
import { commandHere } from "../../support/command-here.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it.each([
  ["devices", ["--services", "model"], "unknown flag --services"],
  ["devices", ["off", "--everyone"], "unknown flag --everyone"],
  ["devices", ["let-in", "4k7q2m", "--interface", "wlan0"], "unknown flag --interface"],
  ["devices", ["remove", "4k7q2m", "--no-everyone"], "unknown flag --no-everyone"],
  ["devices", ["let-in"], "let-in needs a device id"],
  ["devices", ["open"], "unknown action open (did you mean on?); --help lists them"],
  ["devices", ["let-inn"], "unknown action let-inn (did you mean let-in?); --help lists them"],
  ["keys", ["--scopes", "control"], "unknown flag --scopes"],
  ["keys", ["remove", "k1", "--days", "1"], "unknown flag --days"],
  ["keys", ["add"], "add needs a name"],
  ["keys", ["add", "ci", "--days", "36501"], "--days must be a whole number from 1 to 36500"],
  ["keys", ["add", "ci", "--days", "999999999"], "--days must be a whole number from 1 to 36500"],
  ["keys", ["add", "ci", "--days", "1.5"], "--days must be a whole number from 1 to 36500"],
  ["keys", ["add", "ci", "--concurrent", "1000000001"], "--concurrent must be a whole number from 1 to 1000000000"],
  ["ca", ["remove", "--env"], "unknown flag --env"],
  ["list", ["--insecure"], "unknown flag --insecure"],
  ["list", ["llama"], "unexpected argument llama"],
  ["rm", ["llama", "-f", "Modelfile"], "unknown flag -f"],
  ["pull", ["llama", "--file", "Modelfile"], "unknown flag --file"],
] as const)("hearth %s %j is refused: %s", async (name, args, message) => {
  using folder = temporaryFolder();
  const context = { env: { HEARTH_DATA_DIR: folder.path }, cwd: folder.path };
  const refused = await commandHere([name, ...args], context).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SettingsError);
  expect((refused as Error).message).toContain(message);
});
