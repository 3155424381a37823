/** The input of `hearth exec`. */
import { z } from "zod";
import { commandBehind, optionalText, settingFlags, text, texts, toggle } from "../../process/command-line/inputs.ts";

export const execInput = z
  .object({
    import: text(
      "DIR",
      "what to start with: data.json (as GET /console/api/data gives it), provider.json (the simulator's people and settings), the folder hearth-fixture (users, sessions, uploads and orders), the JSON Schema files in collections, the fixed answers in routes.json; each may be missing",
    ),
    export_on_exit: text(
      "DIR",
      "write data.json, provider.json and the folder hearth-fixture there when the command has ended, with all secrets: only you may read them",
    ),
    coverage: optionalText(
      "FILE",
      "when the command has ended, print to stderr which routes of the application server were called meanwhile, with what statuses, and which never; with a FILE, also write that there as JSON",
    ),
    stand_in: toggle(
      "also answer at https://api.mch.weixin.qq.com, api2.mch.weixin.qq.com and api.weixin.qq.com: COMMAND finds a proxy, and a certificate authority made for this run, in its environment. All other hosts but local ones are refused",
    ),
    model: texts(
      "NAME=FILE",
      "serve a model that answers by the rules in FILE (YAML or JSON); may be repeated. No other model runs then",
    ),
    ...settingFlags("stand_in_passes"),
    command: commandBehind("COMMAND", "the command and its arguments", "exec needs a command: hearth exec -- npm test"),
  })
  .describe(
    `Starts Hearth on free ports over an empty data directory, runs COMMAND with HEARTH_APP_URL, HEARTH_PROVIDER_URL, \
HEARTH_MODEL_URL, HEARTH_CONSOLE_URL and HEARTH_TOKEN (the session token of a user who has logged in completely) in its \
environment, passes its exit code on and leaves nothing behind. Asked to stop, it asks COMMAND, and goes on for at most ten \
seconds until COMMAND has ended.`,
  );

export type ExecInput = z.output<typeof execInput>;
