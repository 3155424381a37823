/** Checks a lockfile for problems that npm does not report. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pinnedVersion } from "../install/pinned-node.mjs";

const dependencyKinds = ["dependencies", "devDependencies", "optionalDependencies"] as const;

interface LockedPackage extends Partial<Record<(typeof dependencyKinds)[number], Record<string, string>>> {
  version?: string;
  deprecated?: string;
  integrity?: string;
  resolved?: string;
}

/** The places where the package at `path` finds `name`: its own folder or one above. */
function* placesOf(path: string, name: string): Generator<string> {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    yield `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (folder === "") return;
  }
}

/** Ranges that differ between package.json and the lockfile: one of them was changed by hand. */
function differences(manifest: LockedPackage, locked: LockedPackage): string[] {
  return dependencyKinds.flatMap((kind) => {
    const [wanted, known] = [manifest[kind] ?? {}, locked[kind] ?? {}];
    return Object.keys({ ...wanted, ...known })
      .filter((name) => wanted[name] !== known[name])
      .map((name) => `${name} is ${wanted[name] ?? "absent"} in package.json, ${known[name] ?? "absent"} here`);
  });
}

/** A package that npm could not distinguish from another of the same name and version. */
function unpinned(path: string, { version, integrity, resolved }: LockedPackage): string[] {
  if (path === "") return [];
  return [
    ...(integrity === undefined ? [`${path} ${version} has no integrity: any content would pass for it`] : []),
    ...(resolved === undefined ? [] : [`${path} comes from ${resolved}: a lockfile names no registry`]),
  ];
}

/** The package `node` downloads its binary itself, so only an exact version pins it. */
function unpinnedNode({ devDependencies }: LockedPackage): string[] {
  const version = devDependencies?.["node"];
  if (version === undefined || version === pinnedVersion) return [];
  return [`node is ${version} in package.json, but build/install/pinned-node.mjs has the digests of ${pinnedVersion}`];
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/**
 * Problems of the lockfile in `folder`, one line each: deprecated packages, packages with unpinned content, ranges that
 * differ from package.json, and missing optional packages that make npm ci fail.
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
