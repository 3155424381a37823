/** Counts files and their bytes in a thread, because a folder may hold hundreds of thousands. */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { fileNamesIn } from "../../file-system/file-names.ts";
import type { FromMeasuring, Measured, PartPaths } from "./measure-storage.ts";

const { parts } = workerData as { readonly parts: readonly PartPaths[] };
const report = (message: FromMeasuring) => parentPort?.postMessage(message);

const reportEvery = 2_000;
let files = 0;

/** Files that vanish during the count are left out; links are not followed. */
function add(path: string, to: { files: number; bytes: number }, without: readonly string[]): void {
  if (without.includes(path)) return;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) {
    for (const name of fileNamesIn(path)) add(join(path, name), to, without);
  } else if (found?.isFile() === true) {
    to.files++;
    to.bytes += found.size;
    if (++files % reportEvery === 0) report({ files });
  }
}

const measured = parts.map(({ name, paths, without }): Measured => {
  const sum = { files: 0, bytes: 0 };
  for (const path of paths) add(path, sum, without);
  return { name, ...sum };
});
report({ files, measured });
