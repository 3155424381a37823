/** Folders that the application server watches. The whole of /console/api needs the run's console token, or its cookie. */
import { z } from "zod";
import { list } from "../../bounded-lists.ts";
import { endpoint } from "../../endpoint.ts";
import { fileEventCountsSchema } from "../../app/file-events.ts";
import { idParams } from "../../app/resources.ts";

const pathExample = "/home/alice/site";
const maxPathLength = 32_767;
const pathSchema = z.string().min(1).max(maxPathLength);

const excludeSchema = list(z.string().min(1).max(1000))
  .max(100)
  .describe(
    "Regular expressions, matched against the whole path with forward slashes. Matching paths and everything below them are not reported.",
  )
  .meta({ examples: [["/node_modules(/|$)", "[.]swp$"]] });

const catchUpSchema = z
  .boolean()
  .describe(
    "Report changes made while Hearth is not running. They are reported at the next start as create, modify and delete.",
  );

/** `failed`: the reason is given, and the watch is retried automatically. */
export const watchStateSchema = z.enum(["starting", "watching", "paused", "failed"]);
export type WatchState = z.infer<typeof watchStateSchema>;

export const watchedFolderSchema = z
  .object({
    id: z
      .number()
      .int()
      .meta({ examples: [1] }),
    path: z.string().meta({ examples: [pathExample] }),
    exclude: excludeSchema,
    catch_up: catchUpSchema.meta({ examples: [true] }),
    state: watchStateSchema.meta({ examples: ["watching"] }),
    reason: z.string().optional().describe("Reason of the failure, or the last error during the watch."),
    counts: fileEventCountsSchema.describe("Number of changes since Hearth started, by kind."),
    waiting: z
      .number()
      .int()
      .describe("Number of changes that are not delivered yet.")
      .meta({ examples: [0] }),
    created_at: z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] }),
  })
  .meta({ title: "WatchedFolder" });
export type WatchedFolder = z.infer<typeof watchedFolderSchema>;

const newFolderSchema = z.object({
  path: pathSchema
    .describe("Absolute path of an existing folder. Everything below it is watched, too.")
    .meta({ examples: [pathExample] }),
  exclude: excludeSchema.default([]),
  catch_up: catchUpSchema.default(true),
});

export type NewFolder = z.infer<typeof newFolderSchema>;

const folderChangeSchema = z.object({
  paused: z.boolean().optional().describe("Changes during a pause are never reported."),
  exclude: excludeSchema.optional(),
  catch_up: catchUpSchema.optional(),
});
export type FolderChange = z.infer<typeof folderChangeSchema>;

const matchRequestSchema = z.object({
  path: pathSchema.optional().describe("Folder. Without a sample, its own entries are the sample."),
  exclude: excludeSchema,
  sample: list(pathSchema)
    .max(1000)
    .optional()
    .describe("Paths to test. They need not exist; relative paths are below the folder."),
});
export type MatchRequest = z.infer<typeof matchRequestSchema>;

const matchResultSchema = z.object({
  matches: z.array(
    z.object({
      path: z.string().meta({ examples: [`${pathExample}/node_modules`] }),
      excluded: z.boolean(),
      pattern: z
        .string()
        .optional()
        .describe("First pattern that excludes the path or a folder above it.")
        .meta({ examples: ["/node_modules(/|$)"] }),
    }),
  ),
  complete: z.boolean().describe("False if the folder has more entries than were tested."),
});
export type MatchResult = z.infer<typeof matchResultSchema>;

const base = { tag: "watched-folders", access: "console" } as const;
const all = { ...base, path: "/console/api/watched-folders" } as const;
const one = { ...base, path: "/console/api/watched-folders/{id}", params: idParams } as const;

/** Lists the watched folders with their states. */
export const listWatchedFolders = endpoint({
  ...all,
  id: "listWatchedFolders",
  method: "GET",
  status: 200,
  data: z.object({ folders: z.array(watchedFolderSchema) }),
});

/**
 * Starts to watch a folder, and continues after restarts. Each change is posted to `/api/inotify/`. With `catch_up`,
 * changes between two runs are also posted, up to 200,000 files. The answer comes when the watch has started or failed;
 * its state says which. If the folder is already watched, the answer is 409.
 */
export const createWatchedFolder = endpoint({
  ...all,
  id: "createWatchedFolder",
  method: "POST",
  status: 201,
  body: newFolderSchema,
  data: watchedFolderSchema,
  replyHeaders: ["Location"],
  errors: [409],
});

/** Returns one watched folder. */
export const getWatchedFolder = endpoint({
  ...one,
  id: "getWatchedFolder",
  method: "GET",
  status: 200,
  data: watchedFolderSchema,
  errors: [404],
});

/** Pauses or resumes the watch of a folder, or changes its exclude patterns. Resuming a failed watch retries it. */
export const updateWatchedFolder = endpoint({
  ...one,
  id: "updateWatchedFolder",
  method: "PATCH",
  status: 200,
  body: folderChangeSchema,
  data: watchedFolderSchema,
  errors: [404],
});

/** Stops watching a folder. The folder and the stored events stay; undelivered changes are dropped. */
export const deleteWatchedFolder = endpoint({
  ...one,
  id: "deleteWatchedFolder",
  method: "DELETE",
  status: 204,
  errors: [404],
});

/**
 * Lists the paths that exclude patterns match, without changing anything. Paths come from `sample` or, by default, from
 * the folder.
 */
export const matchExcludePatterns = endpoint({
  ...base,
  id: "matchExcludePatterns",
  method: "POST",
  path: "/console/api/watched-folders/matches",
  status: 200,
  body: matchRequestSchema,
  data: matchResultSchema,
});
