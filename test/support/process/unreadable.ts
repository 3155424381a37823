/** Keeps this process from reading a folder, as if it belonged to another user; tests may run as root. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { sep } from "node:path";

export async function whileUnreadable(folder: string, act: () => Promise<void>): Promise<void> {
  const { readdirSync, lstatSync } = fs;
  const refused = (path: unknown) => {
    throw Object.assign(new Error(`EACCES: permission denied, '${String(path)}'`), { code: "EACCES" });
  };
  const isBelow = (path: unknown) => String(path).startsWith(folder + sep);
  const replace = (list: typeof readdirSync, look: typeof lstatSync) => {
    Object.assign(fs, { readdirSync: list, lstatSync: look });
    syncBuiltinESMExports();
  };
  const guard = <F extends (...all: never[]) => unknown>(call: F, isRefused: (path: unknown) => boolean) =>
    ((...all: Parameters<F>) => (isRefused(all[0]) ? refused(all[0]) : call(...all))) as F;
  replace(
    guard(readdirSync, (path) => path === folder || isBelow(path)),
    guard(lstatSync, isBelow),
  );
  try {
    await act();
  } finally {
    replace(readdirSync, lstatSync);
  }
}
