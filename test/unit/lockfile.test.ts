import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockfileProblems } from "../../build/check-lockfile.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function problemsOf(manifest: object, packages: Record<string, object>): string[] {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder.path, "package-lock.json"), JSON.stringify({ packages }));
  return lockfileProblems(folder.path);
}

describe("the check of a lockfile", () => {
  const manifest = { dependencies: { a: "^1.0.0" } };
  const root = { "": manifest };

  it("finds nothing in one that fits", () => {
    const nested = { "node_modules/a/node_modules/b": { version: "1.0.0" } };
    const a = { "node_modules/a": { version: "1.0.0", optionalDependencies: { b: "1.0.0" } } };
    expect(problemsOf(manifest, { ...root, ...a, ...nested })).toEqual([]);
  });

  it("names a deprecated package with the reason", () => {
    const a = { "node_modules/a": { version: "1.0.0", deprecated: "use c" } };
    expect(problemsOf(manifest, { ...root, ...a })).toEqual(["node_modules/a 1.0.0 is deprecated: use c"]);
  });

  it("names an optional package that is not locked, without which npm ci refuses the lockfile", () => {
    const a = { "node_modules/a": { version: "1.0.0", optionalDependencies: { b: "1.0.0" } } };
    expect(problemsOf(manifest, { ...root, ...a })).toEqual([expect.stringContaining("may need b")]);
  });

  it("names a range that was changed in package.json alone", () => {
    expect(problemsOf({ dependencies: { a: "^2.0.0" } }, root)).toEqual(["a is ^2.0.0 in package.json, ^1.0.0 here"]);
  });
});
