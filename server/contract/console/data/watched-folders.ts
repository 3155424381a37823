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
    "Regular expressions, tested against the whole path with forward slashes. Matching paths are not reported, nor is anything below it.",
  )
  .meta({ examples: [["/node_modules(/|$)", "[.]swp$"]] });

const catchUpSchema = z
  .boolean()
  .describe("Report changes made while Hearth is not running, at its next start, as create, modify and delete.");

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
    reason: z.string().optional().describe("Why it failed, or what went wrong last while it was being watched."),
    counts: fileEventCountsSchema.describe("Changes seen since Hearth was started, by kind."),
    waiting: z
      .number()
      .int()
      .describe("Changes that have been seen and are still to be delivered to the receiver.")
      .meta({ examples: [0] }),
    created_at: z.string().meta({ format: "date-time", examples: ["2026-11-20T08:30:00.000Z"] }),
  })
  .meta({ title: "WatchedFolder" });
export type WatchedFolder = z.infer<typeof watchedFolderSchema>;

const newFolderSchema = z.object({
  path: pathSchema
    .describe("An absolute path of a folder that exists; everything below it is watched, too.")
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
  path: pathSchema.optional().describe("The folder. Without a sample, its own entries are the sample."),
  exclude: excludeSchema,
  sample: list(pathSchema)
    .max(1000)
    .optional()
    .describe("Paths that need not exist; those that are not absolute lie in the folder."),
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
        .describe("The first one that excludes it, or a folder that it lies in.")
        .meta({ examples: ["/node_modules(/|$)"] }),
    }),
  ),
  complete: z.boolean().describe("False when the folder has more entries than are looked at."),
});
export type MatchResult = z.infer<typeof matchResultSchema>;

const base = { tag: "watched-folders", access: "console" } as const;
const all = { ...base, path: "/console/api/watched-folders" } as const;
const one = { ...base, path: "/console/api/watched-folders/{id}", params: idParams } as const;

/** Lists the folders that are watched for changes, with the state of each. */
export const listWatchedFolders = endpoint({
  ...all,
  id: "listWatchedFolders",
  method: "GET",
  status: 200,
  data: z.object({ folders: z.array(watchedFolderSchema) }),
});

/**
 * Watches a folder from now on, over restarts, too: every change in it is posted to `/api/inotify/`, with `catch_up` also
 * what changes between two runs, up to 200,000 files. The answer comes when the watch has begun, or has failed, which the state says. 409 when the folder is on the list already.
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

/** Answers one of the watched folders. */
export const getWatchedFolder = endpoint({
  ...one,
  id: "getWatchedFolder",
  method: "GET",
  status: 200,
  data: watchedFolderSchema,
  errors: [404],
});

/** Pauses or resumes the watch of a folder, or changes what is left out. Resuming one that has failed tries it again. */
export const updateWatchedFolder = endpoint({
  ...one,
  id: "updateWatchedFolder",
  method: "PATCH",
  status: 200,
  body: folderChangeSchema,
  data: watchedFolderSchema,
  errors: [404],
});

/** Ends the watch of a folder. The folder itself and the events that are stored stay; what is still to be delivered is dropped. */
export const deleteWatchedFolder = endpoint({
  ...one,
  id: "deleteWatchedFolder",
  method: "DELETE",
  status: 204,
  errors: [404],
});

/**
 * Lists the paths that exclude patterns match, and changes nothing: paths in `sample`, or the folder's present content.
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
