import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyOutput } from "../../../build/package/output-folder.ts";
import { grownParts } from "../../../build/package/part-sizes.ts";
import { nativePackages, shippedPackages } from "../../../build/package/shipped-packages.ts";
import { signing } from "../../../build/package/signing.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const systems = (["linux", "darwin", "win32"] as const).flatMap((platform) =>
  ["x64", "arm64"].map((arch) => ({ platform, arch })),
);
const { packages } = JSON.parse(readFileSync(new URL("../../../package-lock.json", import.meta.url), "utf8")) as {
  packages: Record<string, { os?: string[]; cpu?: string[] }>;
};

describe("what a package contains", () => {
  it.each(systems)("is known for $platform $arch: its native code is locked, and made for it", ({ platform, arch }) => {
    for (const name of nativePackages({ platform, arch }))
      expect(packages[`node_modules/${name}`], name).toMatchObject({
        os: [platform],
        // One package may have binaries for several processors.
        cpu: expect.arrayContaining([arch]),
      });
    expect(Object.keys(packages)).toEqual(
      expect.arrayContaining(Object.keys(shippedPackages({ platform, arch })).map((name) => `node_modules/${name}`)),
    );
  });

  it("may not grow by more than a twentieth unless that is accepted", () => {
    const accepted = { electron: "42.0.0", bytes: { "icudtl.dat": 100, "resources/app.asar": 100 } };
    const sizes = (electron: string, bytes: Record<string, number>) => ({ electron, bytes });
    expect(grownParts(sizes("42.0.0", { "icudtl.dat": 104, "resources/app.asar": 105 }), accepted)).toEqual([]);
    expect(grownParts(sizes("42.0.0", { "icudtl.dat": 106, "resources/app.asar": 106 }), accepted)).toHaveLength(2);
    expect(grownParts(sizes("42.0.0", { "resources/new": 1 }), accepted)).toHaveLength(1);
    // Another Electron weighs what it weighs.
    expect(grownParts(sizes("43.0.0", { "icudtl.dat": 106, "resources/app.asar": 106 }), accepted)).toHaveLength(1);
    expect(grownParts(sizes("42.0.0", { "icudtl.dat": 106 }), undefined)).toEqual([]);
  });
});

describe("the folder that packages are written into", () => {
  it("is emptied of former packages, and of nothing else", () => {
    using folder = temporaryFolder();
    const root = join(folder.path, "sources");
    const output = join(folder.path, "packages");
    const foreign = join(folder.path, "documents");
    const inSources = join(root, "release");
    for (const path of [foreign, inSources]) mkdirSync(path, { recursive: true });
    writeFileSync(join(foreign, "thesis.txt"), "");
    writeFileSync(join(inSources, "from-older-versions.deb"), "");
    emptyOutput(inSources, root);
    expect(existsSync(join(inSources, "from-older-versions.deb"))).toBe(false);
    emptyOutput(output, root);
    writeFileSync(join(output, "hearth.deb"), "");
    emptyOutput(output, root);
    expect(existsSync(join(output, "hearth.deb"))).toBe(false);
    expect(() => emptyOutput(foreign, root)).toThrow(/holds files/);
    expect(() => emptyOutput(join(foreign, "thesis.txt"), root)).toThrow();
    expect(readdirSync(foreign)).toEqual(["thesis.txt"]);
  });

  it("is never one that contains the sources", () => {
    using folder = temporaryFolder();
    const outer = join(folder.path, "work");
    const root = join(outer, "sources");
    emptyOutput(outer, join(folder.path, "other sources"));
    mkdirSync(root);
    for (const path of [outer, root]) expect(() => emptyOutput(path, root)).toThrow(/contains the sources/);
  });
});

describe("signing", () => {
  it("is done where the environment has a certificate, and said not to be where it has none", () => {
    expect(signing("linux", {}).missing).toBeUndefined();
    expect(signing("win32", {}).missing).toContain("not signed");
    expect(signing("win32", { WIN_CSC_LINK: "file" }).missing).toBeUndefined();
    expect(signing("darwin", {})).toMatchObject({
      mac: { identity: "-" },
      missing: expect.stringContaining("neither signed nor notarized"),
    });
    const certificate = { CSC_LINK: "file" };
    expect(signing("darwin", certificate)).toMatchObject({
      mac: { hardenedRuntime: true, notarize: false },
      missing: expect.stringContaining("not notarized"),
    });
    const both = signing("darwin", { ...certificate, APPLE_API_KEY: "key" });
    expect(both).toEqual({ mac: expect.objectContaining({ hardenedRuntime: true, notarize: true }) });
  });
});
