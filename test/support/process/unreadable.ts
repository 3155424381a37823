/** What the system refuses to other users; tests may run as root. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { sep } from "node:path";

type Call = (...all: never[]) => unknown;

const refusal = (syscall: string, path: unknown) =>
  Object.assign(new Error(`EACCES: permission denied, ${syscall} '${String(path)}'`), {
    code: "EACCES",
    syscall,
    path,
  });

function replace(sync: object, later: object): void {
  Object.assign(fs, sync);
  Object.assign(fs.promises, later);
  syncBuiltinESMExports();
}

/** Keeps this process from watching a folder, but not the folders in it. */
export async function whileUnwatchable(folder: string, act: () => Promise<void>): Promise<void> {
  const { watch } = fs;
  const guarded = (...all: Parameters<typeof watch>) => {
    if (all[0] !== folder) return watch(...all);
    throw refusal("watch", folder);
  };
  replace({ watch: guarded }, {});
  await act().finally(() => replace({ watch }, {}));
}

/** Keeps this process from reading a folder, as if it belonged to another user. */
export async function whileUnreadable(folder: string, act: () => Promise<void>): Promise<void> {
  const isBelow = (path: unknown) => String(path).startsWith(folder + sep);
  const isInside = (path: unknown) => path === folder || isBelow(path);
  const guard =
    (name: string, call: Call, isRefused: (path: unknown) => boolean) =>
    (...all: Parameters<Call>) => {
      if (isRefused(all[0])) throw refusal(name, all[0]);
      return call(...all);
    };
  const guardLater =
    (name: string, call: Call, isRefused: (path: unknown) => boolean) =>
    async (...all: Parameters<Call>) =>
      guard(name, call, isRefused)(...all);
  const { readdirSync, lstatSync, accessSync, watch } = fs;
  const { readdir, lstat } = fs.promises;
  replace(
    {
      readdirSync: guard("scandir", readdirSync, isInside),
      lstatSync: guard("lstat", lstatSync, isBelow),
      accessSync: guard("access", accessSync, isInside),
      watch: guard("watch", watch, isInside),
    },
    { readdir: guardLater("scandir", readdir, isInside), lstat: guardLater("lstat", lstat, isBelow) },
  );
  try {
    await act();
  } finally {
    replace({ readdirSync, lstatSync, accessSync, watch }, { readdir, lstat });
  }
}
