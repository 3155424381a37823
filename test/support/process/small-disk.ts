/** A disk that is soon full: a file system in memory that one process has to itself, as Linux grants it to any user. */
import { spawnSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";

export interface SmallDiskSize {
  readonly kilobytes: number;
  /** How many files and folders there can be on it. */
  readonly files?: number;
  /** How many of the kilobytes something else has taken already, in the file `filler`. */
  readonly filled?: number;
}

/** Whether this machine lets its users mount one; containers may not. */
export const hasSmallDisks = (() => {
  if (process.platform !== "linux") return false;
  using folder = temporaryFolder();
  const mount = ["-rm", "mount", "-t", "tmpfs", "-o", "size=64k", "none", folder.path];
  return spawnSync("unshare", mount).status === 0;
})();

/** The command, run with a disk of its own at the folder, which must be there. `redirect`: a file that takes all its output. */
export function withSmallDisk(
  folder: string,
  { kilobytes, files = 1_000, filled = 0 }: SmallDiskSize,
  command: readonly string[],
  redirect?: string,
): [string, ...string[]] {
  const options = `size=${String(kilobytes)}k,nr_inodes=${String(files)}`;
  const fill = `head -c ${String(filled)}k /dev/zero > "$0/filler" 2> /dev/null`;
  const script = [
    `mount -t tmpfs -o ${options} none "$0"`,
    ...(filled > 0 ? [fill] : []),
    `exec "$@"${redirect === undefined ? "" : ` > '${redirect}' 2>&1`}`,
  ].join("\n");
  return ["unshare", "-rm", "sh", "-c", script, folder, ...command];
}

/** What others see of the disk of a process. */
export function diskOf(pid: number, folder: string) {
  const at = (...names: string[]) => join(`/proc/${String(pid)}/root`, folder, ...names);
  return {
    at,
    /** Takes the room that is left, but for so many bytes, rounded up to pages. */
    fill(left = 0): void {
      const { bavail, bsize } = statfsSync(at());
      writeFileSync(at("filler"), Buffer.alloc((bavail - Math.ceil(left / bsize)) * bsize));
    },
    /** Gives the room back that something else had taken. */
    makeRoom: () => rmSync(at("filler")),
  };
}
