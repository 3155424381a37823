/** A parent that is killed while its processes start: none of them stays, to be taken for another program later. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settingsSchema } from "../../../server/contract/process/settings.ts";
import { plainEnvironment } from "../../support/process/launch.ts";
import { startMessage } from "../../support/process/start-message.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The process's own code comes after the end of the channel. */
const waitForTheEnd = "data:text/javascript,await new Promise((gone) => process.once('disconnect', gone))";

it.each(["main.ts", "model/main.ts", "runner/main.ts", "provider/main.ts"])(
  "%s ends when its parent was killed before it began",
  async (entry) => {
    using folder = temporaryFolder();
    const ports = { app_port: 0, provider_port: 0, model_port: 0 };
    const settings = settingsSchema.parse({ data_dir: folder.path, models_dir: "", ...ports });
    const flags = ["--data-dir", folder.path, "--provider-port", "0"];
    const child = fork(join(import.meta.dirname, "../../../server", entry), entry === "provider/main.ts" ? flags : [], {
      env: plainEnvironment(),
      execArgv: ["--import", waitForTheEnd],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.send(startMessage(settings, { runnerSocket: join(folder.path, "runner.sock"), token: "t".repeat(32) }));
    const ended = once(child, "exit");
    child.disconnect();
    expect(await ended).toEqual([1, null]);
  },
);
