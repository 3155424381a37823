/**
 * Finds files of a data directory that git tracks: a pull changes them, so they are untrusted even in the user's own
 * directory.
 */
import { relative } from "node:path";
import { comparablePath } from "../../file-system/compare-paths.ts";
import { withSlashes } from "../../file-system/with-slashes.ts";
import { filesIn, foreignOwner, repositoriesAround } from "./git-repository.ts";

/** Files that a project may contain, and those that keep empty folders in git. */
const harmless = /^(?:hearth\.config\.json|routes\.json|collections\/[^/]+\.json|(?:.*\/)?\.git(?:ignore|keep))$/;

/** A repository of another user, who may change its index. */
export interface ForeignRepository {
  readonly folder: string;
  readonly owner: number;
}

/** The repositories of other users around a data directory. @param dataDir its real path */
export const foreignRepositories = (dataDir: string): ForeignRepository[] =>
  [...repositoriesAround(dataDir)].flatMap((folder) => {
    const owner = foreignOwner(folder);
    return owner === undefined ? [] : [{ folder, owner }];
  });

const eachTime = "or set the folder at each start with --data-dir or HEARTH_DATA_DIR";
const pulled = "so a pull can add files that your Hearth did not create";

/** Whether a tracked path is a folder or in it, and not harmless there. Both are relative, with slashes. */
function belongsTo(folder: string): (path: string) => boolean {
  const outer = comparablePath(folder);
  const below = outer === "" ? "" : `${outer}/`;
  return (path) => {
    const inner = comparablePath(path);
    return inner === outer || (inner.startsWith(below) && !harmless.test(inner.slice(below.length)));
  };
}

function problemIn(folder: string, dataDir: string, isConfirmed: (one: ForeignRepository) => boolean) {
  const owner = foreignOwner(folder);
  if (owner !== undefined && !isConfirmed({ folder, owner }))
    return `the git repository in ${folder} belongs to another user (${String(owner)}), who can add files that your Hearth did not create: if you trust that user, start once in this folder with --data-dir or HEARTH_DATA_DIR`;
  const isOf = belongsTo(withSlashes(relative(folder, dataDir)));
  try {
    for (const file of filesIn(folder))
      if (isOf(file))
        return `git tracks ${file}, ${pulled}: remove the folder from the repository (git rm -r --cached), ${eachTime}`;
  } catch (error) {
    // Without another owner, the user can solve the problem.
    if (owner === undefined)
      return `Hearth cannot read what git tracks in ${folder} (${(error as Error).message}), ${pulled}: repair the repository, ${eachTime}`;
  }
  return undefined;
}

/**
 * Why a pull may fill a data directory, and what the user can do; undefined if none can.
 * @param dataDir its real path
 * @param isConfirmed whether the user has accepted a repository of another user
 */
export function trackingProblem(dataDir: string, isConfirmed: (one: ForeignRepository) => boolean): string | undefined {
  for (const folder of repositoriesAround(dataDir)) {
    const problem = problemIn(folder, dataDir, isConfirmed);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
