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
      "scopes, separated by commas. model:use (default): use and list models. model:manage: pull, create, copy and delete models. control: full console access. metrics:read: GET /metrics",
    ),
    per_minute: text("N", "limit of requests per minute"),
    concurrent: text("N", "limit of concurrent requests"),
    tokens_per_day: text("N", "limit of prompt and answer tokens per day (UTC)"),
    days: text("N", "validity in days; default: no expiry"),
    ...dataDir,
  })
  .describe(
    "A running Hearth applies changes at once. The setting require_keys decides which callers must send a key.",
  );

export const removeKeyInput = z.object({ id: argument("ID", "the key's id", "remove needs a key id"), ...dataDir });

export type AddKeyInput = z.output<typeof addKeyInput>;
