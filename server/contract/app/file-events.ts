import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { sortQuery } from "../sort.ts";
import { wholeNumber } from "../whole-number.ts";

/** The five changes that the watcher reports (spec: Events 2). */
export const fileChangeSchema = z.enum(["modify", "attrib", "move", "create", "delete"]);
export type FileChange = z.infer<typeof fileChangeSchema>;

/** Identifies one notification over all its deliveries, so that a repeated one is stored once (our addition to the spec). */
export const fileEventIdHeader = "X-Event-Id";

/**
 * Ties the two notifications of a move, of the old path and of the new one: both carry the event id of the first (our
 * addition to the spec).
 */
export const fileMoveHeader = "X-Move-Id";

/**
 * Accepts one file-change notification from a watcher. A slash at the end of the path is optional. 202 means that the
 * notification is stored and will be processed; no further reply follows. A repeated X-Event-Id is accepted and
 * ignored. An id has at most 200 characters.
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
      .max(32_767)
      .describe("Directory plus name of the changed file.")
      .meta({ examples: ["/home/alice/site/index.html"] }),
    ev: fileChangeSchema.describe("Kind of change."),
  }),
  requestHeaders: [fileEventIdHeader, fileMoveHeader],
});

export const fileEventSchema = z
  .object({
    id: z
      .number()
      .int()
      .meta({ examples: [1] }),
    df: z.string().meta({ examples: ["/home/alice/site/index.html"] }),
    ev: fileChangeSchema,
    moved_from: z
      .string()
      .optional()
      .describe("The path that the file had before; absent where a watcher saw one path of the move only.")
      .meta({ examples: ["/home/alice/site/home.html"] }),
    received_at: z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] }),
  })
  .meta({ title: "FileEvent" });
export type FileEvent = z.infer<typeof fileEventSchema>;

const count = z
  .number()
  .int()
  .meta({ examples: [0] });

/** How many of each kind. */
export const fileEventCountsSchema = z.object({
  modify: count,
  attrib: count,
  move: count,
  create: count,
  delete: count,
} satisfies Record<FileChange, z.ZodType>);
export type FileEventCounts = z.infer<typeof fileEventCountsSchema>;

export const fileEventPageQuery = z.object({
  ...sortQuery(["received_at", "ev", "df"]),
  q: z.string().max(1000).optional().describe("Text in a path. Case of ASCII letters does not matter."),
  ev: fileChangeSchema.optional(),
  path: z
    .string()
    .max(32_767)
    .optional()
    .describe("Path of a file or folder. A file returns its timeline, a folder everything below it."),
  before: wholeNumber(z.int().positive())
    .optional()
    .describe("Only events with a smaller id. For the next page, pass the last id of a page."),
  limit: wholeNumber(z.int().min(1).max(500)).default(100),
});
export type FileEventQuery = z.infer<typeof fileEventPageQuery>;

const fileEventPageSchema = z.object({
  events: z.array(fileEventSchema),
  total: z.number().int().describe("Number on all pages."),
  stored: z.number().int().describe("Number of all file events, without the filter."),
  counts: fileEventCountsSchema.describe("Number on all pages by kind, without the filter `ev`."),
});
export type FileEventPage = z.infer<typeof fileEventPageSchema>;

/**
 * Returns a page of the received file events, newest first by default. To get the next page, pass a page's last id as
 * `before`. Hearth keeps the newest 100,000.
 */
export const listFileEvents = endpoint({
  id: "listFileEvents",
  tag: "file-events",
  method: "GET",
  path: "/console/api/file-events",
  access: "console",
  status: 200,
  query: fileEventPageQuery,
  data: fileEventPageSchema,
});
