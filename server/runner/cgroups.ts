/** The control groups of this process (Linux), which may allow it less than the machine has. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path/posix";

/** Reads a file of the proc, sys or cgroup trees; undefined if it does not exist. */
export type ReadSystemFile = (path: string) => string | undefined;

export const readSystemFile: ReadSystemFile = (path) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

export interface Cgroup {
  readonly version: 1 | 2;
  readonly folder: string;
}

interface CgroupMount {
  readonly version: 1 | 2;
  readonly mountPoint: string;
  /** The part of the hierarchy that the mount shows. */
  readonly root: string;
}

type Controller = "cpu" | "memory";

/** Mounted hierarchies that can limit what the controller counts. */
function mountsOf(controller: Controller, mountInfo: string): CgroupMount[] {
  return mountInfo.split("\n").flatMap((line): CgroupMount[] => {
    const [head = "", tail = ""] = line.split(" - ");
    const [, , , root = "/", mountPoint = ""] = head.split(" ");
    const [type, , options = ""] = tail.split(" ");
    if (type === "cgroup2") return [{ version: 2, mountPoint, root }];
    return type === "cgroup" && options.split(",").includes(controller) ? [{ version: 1, mountPoint, root }] : [];
  });
}

/** Path of this process in a hierarchy, from /proc/self/cgroup ("hierarchy:controllers:path" a line). */
function pathIn(mount: CgroupMount, controller: Controller, membership: string): string {
  for (const line of membership.split("\n")) {
    const [id, controllers = "", ...rest] = line.split(":");
    const fits = mount.version === 2 ? id === "0" && controllers === "" : controllers.split(",").includes(controller);
    if (fits) return rest.join(":");
  }
  return "/";
}

/** The groups of this process and their parents, as far as they are visible. */
export function cgroupsOf(controller: Controller, read: ReadSystemFile): Cgroup[] {
  const membership = read("/proc/self/cgroup") ?? "";
  return mountsOf(controller, read("/proc/self/mountinfo") ?? "").flatMap((mount) => {
    const inside = relative(mount.root, pathIn(mount, controller, membership));
    // In a container, a mount may not contain the process's own path: the mount itself is then its group.
    let group = inside.startsWith("..") ? "" : inside;
    const found: Cgroup[] = [];
    for (;;) {
      found.push({ version: mount.version, folder: join(mount.mountPoint, group) });
      if (group === "" || group === ".") return found;
      group = group.includes("/") ? group.slice(0, group.lastIndexOf("/")) : "";
    }
  });
}
