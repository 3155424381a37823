/** The inputs of `hearth keys` and its actions. */
import { z } from "zod";
import { argument, settingFlags, text } from "../../process/command-line/inputs.ts";

const dataDir = settingFlags("data_dir");

export const listKeysInput = z.object(dataDir);

export const addKeyInput = z
  .object({
    name: argument("NAME", "1 to 64 characters", "add needs a name"),
    scopes: text(
      "LIST",
      "what it allows, separated by commas: model:use (ask and list models; the default), model:manage (pull, create, copy and delete them), control (all that the console's token may), metrics:read (GET /metrics)",
    ),
    per_minute: text("N", "the most requests within a minute"),
    concurrent: text("N", "the most requests at a time"),
    tokens_per_day: text("N", "the most tokens of prompts and answers of models within a day (UTC)"),
    days: text("N", "how long it lasts; default for ever"),
    ...dataDir,
  })
  .describe("A running Hearth takes changes over at once. Who must send a key: setting require_keys.");

export const removeKeyInput = z.object({ id: argument("ID", "the key's id", "remove needs an id"), ...dataDir });

export type AddKeyInput = z.output<typeof addKeyInput>;
