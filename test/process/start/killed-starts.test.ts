/** A parent that is killed while its processes start: none of them stays, to be taken for another program later. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settingsSchema } from "../../../server/contract/process/settings.ts";
import { settingsForChild } from "../../../server/process/settings/read-settings.ts";
import { plainEnvironment } from "../../support/process/launch.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The process's own code comes after the end of the channel. */
const waitForTheEnd = "data:text/javascript,await new Promise((gone) => process.once('disconnect', gone))";

it.each(["main.ts", "model/main.ts", "runner/main.ts", "provider/main.ts"])(
  "%s ends when its parent was killed before it began",
  async (entry) => {
    using folder = temporaryFolder();
    const ports = { app_port: 0, provider_port: 0, model_port: 0 };
    const settings = settingsSchema.parse({ data_dir: folder.path, models_dir: "", ...ports });
    const own = { HEARTH_RUNNER_SOCKET: join(folder.path, "runner.sock"), HEARTH_CONSOLE_TOKEN: "t".repeat(32) };
    const child = fork(join(import.meta.dirname, "../../../server", entry), {
      env: { ...plainEnvironment(), ...settingsForChild(settings), ...own },
      execArgv: ["--import", waitForTheEnd],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const ended = once(child, "exit");
    child.disconnect();
    expect(await ended).toEqual([1, null]);
  },
);
