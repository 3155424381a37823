/**
 * Notes the hash of the sources that each part of dist/ was built from, and under `look` how all of them looked. Plain JavaScript without packages: it runs
 * before any are installed.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const file = join(dirname(fileURLToPath(import.meta.url)), "..", "dist", ".built.json");

export function builtParts() {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}

export function noteBuilt(hashes) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...builtParts(), ...hashes }));
}

/** Before a build overwrites these parts: one that does not end leaves them as no sources are. */
export const forgetBuilt = (names) =>
  noteBuilt(Object.fromEntries([...names, "look"].map((name) => [name, undefined])));
