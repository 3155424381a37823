/** The input of `hearth exec`. */
import { z } from "zod";
import { commandBehind, optionalText, settingFlags, text, texts, toggle } from "../../process/command-line/inputs.ts";

export const execInput = z
  .object({
    import: text(
      "DIR",
      "initial state. Each part is optional. data.json: collections, as GET /console/api/data returns them. provider.json: the simulator's users and settings. hearth-fixture: users, sessions, uploads and orders. collections: JSON Schema files. routes.json: fixed answers",
    ),
    export_on_exit: text(
      "DIR",
      "write data.json, provider.json and the folder hearth-fixture to DIR after the command, with all secrets and readable only by you",
    ),
    coverage: optionalText(
      "FILE",
      "after the command, print the called and uncalled routes of the application server with their statuses. With FILE, also write them as JSON",
    ),
    stand_in: toggle(
      "also serve https://api.mch.weixin.qq.com, api2.mch.weixin.qq.com, api.weixin.qq.com and openapi.alipay.com. COMMAND gets a proxy and a certificate authority for this run in its environment. Other hosts are refused, except local ones",
    ),
    model: texts(
      "NAME=FILE",
      "serve a scripted model with the rules in FILE (YAML or JSON) instead of other models; repeatable",
    ),
    ...settingFlags("stand_in_passes"),
    command: commandBehind("COMMAND", "the command and its arguments", "exec needs a command: hearth exec -- npm test"),
  })
  .describe(
    `Starts Hearth on free ports with an empty data directory and runs COMMAND. Its environment has HEARTH_APP_URL, \
HEARTH_PROVIDER_URL, HEARTH_MODEL_URL, HEARTH_CONSOLE_URL and HEARTH_TOKEN, the session token of a logged-in user. \
Returns COMMAND's exit code and deletes the data. On Ctrl-C or SIGTERM it stops COMMAND and waits up to ten seconds for its \
end.`,
  );

export type ExecInput = z.output<typeof execInput>;
