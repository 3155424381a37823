/** The input of `hearth watch`. */
import { z } from "zod";
import { argument, settingFlags, text, texts, toggle, toggleOff } from "../process/command-line/inputs.ts";

export const watchInput = z
  .object({
    dir: argument("DIR", "the folder to watch", "watch needs the folder to watch: hearth watch DIR"),
    to: text("URL", "the receiver; default: http://127.0.0.1:3080/api/inotify/"),
    exclude: texts("REGEX", "do not report matching paths; repeatable"),
    catch_up: toggleOff("do not report changes made while no watcher ran, and keep no record for the next run"),
    quiet: toggle("do not print each sent change"),
    ...settingFlags("data_dir", "log_level", "app_port", "json"),
  })
  .describe(
    `Posts every change below DIR (df: path, ev: modify, attrib, move, create or delete) to a receiver. Changes since the last run \
come first: create, modify and delete, up to 200,000 files. The folder "watch" of the data directory keeps undelivered events.`,
  );

export type WatchInput = z.output<typeof watchInput>;
