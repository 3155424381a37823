/** What git keeps of a data directory: a pull brings and changes such files, so they are anybody's, whoever made the directory. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin, prefixBelow } from "../../file-system/compare-paths.ts";
import { withSlashes } from "../../file-system/with-slashes.ts";

/** What a project's own file may say or name anyway, and what git keeps empty folders with. */
const harmless = /^(?:hearth\.config\.json|routes\.json|collections\/[^/]+\.json|(?:.*\/)?\.git(?:ignore|keep))$/;

/** The folders around a path, and itself, that have a repository in them. */
function* repositoriesAround(path: string): Generator<string> {
  for (let folder = path; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) yield folder;
    if (dirname(folder) === folder) return;
  }
}

/** The files that a repository keeps, relative to it. Nothing is run that the repository names. */
function filesOf(repository: string): string[] | Error {
  // Named, so that git looks for no other one on its way up, and does not mind whose it is.
  const place = [`--git-dir=${join(repository, ".git")}`, `--work-tree=${repository}`];
  const { status, error, stdout, stderr } = spawnSync(
    "git",
    [...place, "-c", "core.fsmonitor=false", "ls-files", "-z"],
    {
      // Of a hook of git they would name another repository.
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
      // Windows looks for a program in the working directory first.
      cwd: dirname(process.execPath),
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
      timeout: 20_000,
      windowsHide: true,
    },
  );
  // Without git nobody pulls.
  if (error && "code" in error && error.code === "ENOENT") return [];
  if (error) return error;
  return status === 0 ? stdout.split("\0").filter(Boolean) : new Error(stderr.trim());
}

/**
 * Why a pull may fill a data directory; undefined where none can.
 * @param dataDir its real path
 */
export function trackingProblem(dataDir: string): string | undefined {
  for (const repository of repositoriesAround(dataDir)) {
    const files = filesOf(repository);
    if (files instanceof Error) return `git does not tell what it keeps in ${repository} (${files.message})`;
    const file = files.find((one) => {
      const path = join(repository, one);
      return isWithin(dataDir, path) && !harmless.test(withSlashes(path.slice(prefixBelow(dataDir).length)));
    });
    if (file !== undefined) return `git keeps ${file}`;
  }
  return undefined;
}
