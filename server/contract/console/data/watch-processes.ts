/** The running `hearth watch` processes of this data directory. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";

export const watchProcessSchema = z
  .object({
    pid: z
      .number()
      .int()
      .meta({ examples: [4121] }),
    path: z
      .string()
      .describe("The watched folder.")
      .meta({ examples: ["/home/alice/site"] }),
    to: z
      .string()
      .describe("The receiver.")
      .meta({ examples: ["http://127.0.0.1:3080/api/inotify/"] }),
    started_at: z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] }),
  })
  .meta({ title: "WatchProcess" });
export type WatchProcess = z.infer<typeof watchProcessSchema>;

/** Lists the `hearth watch` processes that use this data directory, with any receiver. */
export const listWatchProcesses = endpoint({
  id: "listWatchProcesses",
  tag: "watched-folders",
  method: "GET",
  path: "/console/api/watch-processes",
  access: "console",
  status: 200,
  data: z.object({ processes: z.array(watchProcessSchema) }),
});
