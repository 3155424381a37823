/**
 * A note of the files of the starter model's training with which its smoke run has passed last. The run takes minutes and
 * needs PyTorch, so `npm test` repeats it under CI alone, and only where the files are others.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./root.ts";

const note = join(root, "build/starter-model.sha256");

const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

/** The digest of a folder's files; .ci/run calculates the same. */
export function digestOfFolder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".pyc"))
    .map((entry) => join(entry.parentPath, entry.name));
  const named = files.map((file) => [`./${relative(folder, file).replaceAll("\\", "/")}`, file] as const);
  named.sort(([one], [other]) => (one < other ? -1 : 1));
  return sha256(named.map(([name, file]) => `${sha256(readFileSync(file))}  ${name}\n`).join(""));
}

const digest = () => digestOfFolder(join(root, "build/starter-model"));

export const isTrainingTested = (): boolean => readFileSync(note, "utf8").trim() === digest();

export const noteTrainingTested = (): void => writeFileSync(note, `${digest()}\n`);
