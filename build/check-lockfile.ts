/** What a lockfile can have wrong without npm's saying so. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pinnedVersion } from "./pinned-node.mjs";

const dependencyKinds = ["dependencies", "devDependencies", "optionalDependencies"] as const;

interface LockedPackage extends Partial<Record<(typeof dependencyKinds)[number], Record<string, string>>> {
  version?: string;
  deprecated?: string;
  integrity?: string;
  resolved?: string;
}

/** Where `name`, asked for by the package at `path`, may lie: beside it or in a folder above. */
function* placesOf(path: string, name: string): Generator<string> {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    yield `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (folder === "") return;
  }
}

/** Ranges that stand in one of package.json and the lockfile only: one was changed by hand. */
function differences(manifest: LockedPackage, locked: LockedPackage): string[] {
  return dependencyKinds.flatMap((kind) => {
    const [wanted, known] = [manifest[kind] ?? {}, locked[kind] ?? {}];
    return Object.keys({ ...wanted, ...known })
      .filter((name) => wanted[name] !== known[name])
      .map((name) => `${name} is ${wanted[name] ?? "absent"} in package.json, ${known[name] ?? "absent"} here`);
  });
}

/** What npm could not tell from another package of the same name and version. */
function unpinned(path: string, { version, integrity, resolved }: LockedPackage): string[] {
  if (path === "") return [];
  return [
    ...(integrity === undefined ? [`${path} ${version} has no integrity: any content would pass for it`] : []),
    ...(resolved === undefined ? [] : [`${path} comes from ${resolved}: a lockfile names no registry`]),
  ];
}

/** The package `node` fetches its binary by itself: an exact version of it alone says which. */
function unpinnedNode({ devDependencies }: LockedPackage): string[] {
  const version = devDependencies?.["node"];
  if (version === undefined || version === pinnedVersion) return [];
  return [`node is ${version} in package.json, but build/pinned-node.mjs has the digests of ${pinnedVersion}`];
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/**
 * Problems of the lockfile in `folder`, a line each: deprecated packages, those whose content is not pinned, ranges that
 * package.json has otherwise, and optional packages without which npm ci refuses it.
 */
export function lockfileProblems(folder: string): string[] {
  const { packages } = readJson(join(folder, "package-lock.json")) as { packages: Record<string, LockedPackage> };
  const manifest = readJson(join(folder, "package.json")) as LockedPackage;
  const entries = Object.entries(packages).flatMap(([path, entry]) => [
    ...(entry.deprecated === undefined ? [] : [`${path} ${entry.version} is deprecated: ${entry.deprecated}`]),
    ...unpinned(path, entry),
    ...Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => ![...placesOf(path, name)].some((place) => place in packages))
      .map((name) => `${path} may need ${name}, which is not locked: npm ci would refuse the lockfile`),
  ]);
  return [...differences(manifest, packages[""] ?? {}), ...unpinnedNode(manifest), ...entries];
}
