/** What a lockfile can have wrong without npm's saying so. */
import { readFileSync } from "node:fs";

interface LockedPackage {
  version?: string;
  deprecated?: string;
  optionalDependencies?: Record<string, string>;
}

/** Where `name`, asked for by the package at `path`, may lie: beside it or in a folder above. */
function* placesOf(path: string, name: string): Generator<string> {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    yield `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (folder === "") return;
  }
}

/** Problems of the lockfile, a line each: deprecated packages, and optional ones without which npm ci refuses it. */
export function lockfileProblems(file: string): string[] {
  const { packages } = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...(entry.deprecated === undefined ? [] : [`${path} ${entry.version} is deprecated: ${entry.deprecated}`]),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => ![...placesOf(path, name)].some((place) => place in packages))
      .map((name) => `${path} may need ${name}, which is not locked: npm ci would refuse the lockfile`),
  ]);
}
