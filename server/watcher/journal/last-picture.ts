/** The picture of the folder that one run leaves for the next. */
import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { createExclusion } from "../excluded/exclude-patterns.ts";
import type { FolderChanges, LastPicture } from "../folder/folder-changes.ts";
import type { WatchOptions } from "../watch-options.ts";
import { snapshotLines, type Snapshot } from "./journal-file.ts";
import { createTreeReader } from "./tree-notes.ts";

export const pictureOf = ({ root, exclude }: Snapshot, options: WatchOptions): LastPicture => ({
  root,
  exclusion: isDeepStrictEqual(exclude, options.exclude)
    ? undefined
    : createExclusion(exclude, { deadlineMs: options.patternDeadlineMs, onGivenUp: () => undefined }),
});

/** The snapshot of a larger folder would take too long to write (our choice). */
const mostFiles = 200_000;

/** The folder's snapshot as journal lines. A folder with too many files gets none, and a warning. */
export function pictureLines(
  folder: Pick<FolderChanges, "picture" | "files">,
  { dir, exclude }: WatchOptions,
  log: Logger,
) {
  let isReported = false;
  return (): Iterable<string> => {
    if (folder.files() <= mostFiles) return snapshotLines(exclude, folder.picture());
    if (!isReported)
      log.warn(
        { dir },
        `it has more than ${mostFiles} files: changes while no watcher runs will not be reported; exclude some files`,
      );
    isReported = true;
    return [];
  };
}

/** For the folder to which the path of this one leads now. */
export function pictureElsewhere(folder: FolderChanges): LastPicture | undefined {
  const reader = createTreeReader();
  reader.read([...folder.picture()]);
  const root = reader.root();
  return root && { root, exclusion: undefined, isElsewhere: true };
}
