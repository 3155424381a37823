import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** The five changes that the watcher reports (spec: Events 2). */
export const fileChangeSchema = z.enum(["modify", "attrib", "move", "create", "delete"]);
export type FileChange = z.infer<typeof fileChangeSchema>;

/** Identifies one notification over all its deliveries, so that a repeated one is stored once (our addition to the spec). */
export const fileEventIdHeader = "X-Event-Id";

/**
 * Takes one file-change notification of a watcher, with or without a slash at the path's end. 202: it is stored and will be
 * acted on; there is no further answer. A notification that repeats the X-Event-Id of an earlier one is taken and ignored.
 */
export const createFileEvent = endpoint({
  id: "createFileEvent",
  tag: "file-events",
  method: "POST",
  path: "/api/inotify",
  access: "none",
  status: 202,
  bodyType: "form",
  body: z.object({
    df: z
      .string()
      .min(1)
      .max(8192)
      .describe("Directory plus name of the changed file.")
      .meta({ examples: ["/home/alice/site/index.html"] }),
    ev: fileChangeSchema.describe("What has happened to it."),
  }),
  requestHeaders: [fileEventIdHeader],
});

export const fileEventSchema = z.object({
  id: z.number().int(),
  df: z.string(),
  ev: fileChangeSchema,
  received_at: z.string(),
});
export type FileEvent = z.infer<typeof fileEventSchema>;
