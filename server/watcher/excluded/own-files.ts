import { join } from "node:path";
import { isWithinAnyCase, wayWithin } from "../../file-system/compare-paths.ts";

interface OwnFiles {
  /** The watched folder, as events name it, and the path that it resolves to. */
  readonly dir: string;
  readonly root: string;
  /** Files and folders, these with everything below them. */
  readonly own: readonly string[];
}

/**
 * Recognizes Hearth's own files among the paths of events. Reporting their changes would never end: each report changes
 * them.
 * The system may name them in another case than the settings do.
 */
export function createOwnFiles({ dir, root, own }: OwnFiles, platform = process.platform): (path: string) => boolean {
  const named = own.flatMap((path) => {
    const way = wayWithin(root, path, platform);
    return way === undefined ? [] : [join(dir, way)];
  });
  return (path) => named.some((one) => isWithinAnyCase(one, path, platform));
}
