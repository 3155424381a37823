import { readdir } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import type { MatchRequest, MatchResult } from "../../contract/console/data/watched-folders.ts";
import { refuse } from "../../http/http-error.ts";
import { createExclusion } from "./exclude-patterns.ts";
import { requireFolder } from "./folder-path.ts";
import type { FolderWatcher } from "./folder-watcher.ts";

/** Entries of a folder that are tested (our choice: enough to show the effect of a pattern). */
const sampleSize = 500;

/**
 * Finds the paths that the patterns would exclude, in a given sample or in the folder as it is now. Like the watcher,
 * it does not look into excluded folders.
 * @throws HttpError 400 naming the invalid field
 */
export async function matchSample(
  { path, exclude, sample }: MatchRequest,
  deadlineMs: number,
  ask: FolderWatcher["ask"],
): Promise<MatchResult> {
  const folder = path === undefined ? undefined : requireAbsolute(path);
  const excludedBy = createExclusion(exclude, deadlineMs, folder);
  const matched = (paths: readonly string[]): MatchResult["matches"] => {
    const patterns = excludedBy(paths);
    return paths.map((one, at) => ({ path: one, excluded: patterns[at] !== undefined, pattern: patterns[at] }));
  };
  if (sample)
    return {
      matches: matched(sample.map((one) => (folder === undefined ? one : resolve(folder, one)))),
      complete: true,
    };
  if (path === undefined) throw refuse("folder.nothing", undefined, { field: "path" });
  return scanBatch(await requireFolder(path, ask), matched);
}

async function scanBatch(
  root: string,
  matched: (paths: readonly string[]) => MatchResult["matches"],
): Promise<MatchResult> {
  const matches: MatchResult["matches"] = [];
  const folders = [root];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    // The watcher treats an unreadable folder as empty, too.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const room = sampleSize - matches.length;
    const some = entries.slice(0, room);
    const within = folder;
    const found = matched(some.map(({ name }) => join(within, name)));
    matches.push(...found);
    folders.push(...found.filter((one, at) => !one.excluded && some[at]?.isDirectory()).map((one) => one.path));
    if (entries.length > room || (matches.length === sampleSize && folders.length > 0))
      return { matches, complete: false };
  }
  return { matches, complete: true };
}

function requireAbsolute(path: string): string {
  if (isAbsolute(path)) return resolve(path);
  throw refuse("folder.sample", { path }, { field: "path" });
}
