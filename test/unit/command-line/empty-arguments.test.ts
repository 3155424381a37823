/** An empty argument is a variable that is not set. As a path it would be the working directory. */
import { describe, expect, it } from "vitest";
import { SettingsError } from "../../../server/process/settings/read-settings.ts";
import { commandHere } from "../../support/command-here.ts";

describe("an empty argument is refused", () => {
  it.each([
    ["as the folder to watch", ["watch", ""], "an argument is empty"],
    ["as the user to log in", ["token", ""], "an argument is empty"],
    ["as the file of a backup", ["backup", ""], "an argument is empty"],
    ["as the folder of a restore", ["restore", "backup.tar", "--data-dir", ""], "--data-dir needs a value"],
    ["as one of the models to delete", ["rm", "a", ""], "an argument is empty"],
    ["as the command to run", ["exec", "--", ""], "exec needs a command"],
  ])("%s", async (_as, argv, message) => {
    const refused = await commandHere(argv).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SettingsError);
    expect((refused as Error).message).toContain(message);
  });
});
