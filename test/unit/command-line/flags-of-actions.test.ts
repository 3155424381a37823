import { expect, it } from "vitest";
import { ca } from "../../../server/cli/ca.ts";
import { devicesCommand } from "../../../server/cli/devices/devices-command.ts";
import { keysCommand } from "../../../server/cli/keys/keys-command.ts";
import { modelCommand } from "../../../server/cli/models/model-commands.ts";
import { SettingsError } from "../../../server/process/settings/read-settings.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const commands = {
  ca,
  devices: devicesCommand,
  keys: keysCommand,
  list: modelCommand.bind(undefined, "list"),
  rm: modelCommand.bind(undefined, "rm"),
  pull: modelCommand.bind(undefined, "pull"),
};

it.each([
  ["devices", ["--services", "model"], "--services goes with on, not with show"],
  ["devices", ["off", "--everyone"], "--everyone goes with on, not with off"],
  ["devices", ["let-in", "4k7q2m", "--interface", "wlan0"], "--interface goes with on, not with let-in"],
  ["devices", ["remove", "4k7q2m", "--no-everyone"], "--everyone goes with on, not with remove"],
  ["devices", ["open"], "unknown action open"],
  ["keys", ["--scopes", "control"], "--scopes goes with add, not with list"],
  ["keys", ["remove", "k1", "--days", "1"], "--days goes with add, not with remove"],
  ["keys", ["add", "ci", "--days", "36501"], "--days takes a whole number from 1 to 36500"],
  ["keys", ["add", "ci", "--days", "999999999"], "--days takes a whole number from 1 to 36500"],
  ["keys", ["add", "ci", "--days", "1.5"], "--days takes a whole number from 1 to 36500"],
  ["keys", ["add", "ci", "--concurrent", "1000000001"], "--concurrent takes a whole number from 1 to 1000000000"],
  ["ca", ["remove", "--env"], "--env goes with show, not with remove"],
  ["list", ["--insecure"], "--insecure goes with pull, not with list"],
  ["list", ["llama"], "unexpected argument llama"],
  ["rm", ["llama", "-f", "Modelfile"], "--file goes with create, not with rm"],
  ["pull", ["llama", "--file", "Modelfile"], "--file goes with create, not with pull"],
] as const)("hearth %s %j is refused: %s", async (name, args, message) => {
  using folder = temporaryFolder();
  const refused = await commands[name](args, { HEARTH_DATA_DIR: folder.path }, folder.path).catch(
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(SettingsError);
  expect((refused as Error).message).toContain(message);
});
