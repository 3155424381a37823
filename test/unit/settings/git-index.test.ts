/** The reader of git's index finds what the real git finds. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GitIndexError, pathsInIndex } from "../../../server/process/settings/git-index.ts";
import { fuzzSeed } from "../../support/fuzz-seed.ts";
import { gitIn, hasGit } from "../../support/real-git.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const hashes = [
  ["sha1", 20],
  ["sha256", 32],
] as const;
const kinds = hashes.flatMap(([hash, hashBytes]) => [2, 4].map((version) => ({ hash, hashBytes, version })));

/** An empty repository, and what git and the reader find in its index. */
function repository(hash: string, version = 2) {
  const folder = temporaryFolder();
  const git = gitIn(folder.path);
  git(["init", `--object-format=${hash}`]);
  git(["config", "index.version", String(version)]);
  const index = join(folder.path, ".git", "index");
  return {
    path: folder.path,
    git,
    index,
    /** Adds entries, in bytes, that need no file. */
    add: (entries: readonly { path: Buffer; mode?: string; stage?: number }[]) => {
      const object = "1".repeat(hash === "sha1" ? 40 : 64);
      const lines = entries.map(({ path, mode = "100644", stage = 0 }) =>
        Buffer.concat([Buffer.from(`${mode} ${object} ${String(stage)}\t`), path, Buffer.from([0])]),
      );
      git(["update-index", "-z", "--index-info"], Buffer.concat(lines));
    },
    listed: () => git(["ls-files", "-z"]).toString().split("\0").filter(Boolean),
    read: () => [...pathsInIndex(readFileSync(index))],
    version: () => readFileSync(index).readUInt32BE(4),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** The bytes with the checksum that belongs to them. */
function withChecksum(bytes: Buffer, hash: string): Buffer {
  return Buffer.concat([bytes, createHash(hash).update(bytes).digest()]);
}

const name = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "data",
    "Data",
    "keys.json",
    "-",
    ".gitkeep",
    "a b",
    "\u00fc",
    "u\u0308",
    "\u56fe",
    "a\\b",
    '"',
  ),
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.integer({ min: 200, max: 255 }).map((length) => "n".repeat(length)),
);
const plainName = name.map((text) => Buffer.from(text.replaceAll(/[/\0]/g, "_")));
const oddName = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0 || byte === 0x2f ? 0xff : byte))));
const part = fc.oneof({ weight: 4, arbitrary: plainName }, { weight: 1, arbitrary: oddName });
const isRefused = (one: Buffer) => /^\.{1,2}$|^\.git|^git~|[:\u200c-\u206f\ufeff]/i.test(one.toString());
const path = fc
  .array(
    part.filter((one) => !isRefused(one)),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => Buffer.from(parts.map((one) => one.toString("latin1")).join("/"), "latin1"));
const entry = fc.record({ path, mode: fc.constantFrom("100644", "100755", "120000", "160000"), stage: fc.nat(3) });

describe.runIf(hasGit)("the reader of git's index", () => {
  it.each(kinds)("lists what git lists of any entries (version $version, $hash)", ({ hash, version }) => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        using folder = repository(hash, version);
        folder.add([{ path: Buffer.from("first") }, ...entries]);
        expect(folder.version()).toBe(version);
        expect(new Set(folder.read())).toEqual(new Set(folder.listed()));
      }),
      { numRuns: 25, seed: fuzzSeed },
    );
  });

  it.each(kinds)("lists many files, with what git adds for them (version $version, $hash)", ({ hash, version }) => {
    using folder = repository(hash, version);
    folder.git(["config", "index.threads", "4"]);
    folder.add(
      Array.from({ length: 45_000 }, (_, at) => ({ path: Buffer.from(`d${String(at % 97)}/f${String(at)}`) })),
    );
    expect(readFileSync(folder.index).includes("IEOT")).toBe(true);
    expect(folder.read()).toEqual(folder.listed());
    expect(folder.read()).toHaveLength(45_000);
  });

  it.each(hashes)("lists files that are to be added later, left out of the folder, or deleted there (%s)", (hash) => {
    for (const version of [2, 4]) {
      using folder = repository(hash, version);
      for (const name of ["later", "left", "gone"]) writeFileSync(join(folder.path, name), "");
      folder.git(["add", "left", "gone"]);
      folder.git(["add", "--intent-to-add", "later"]);
      folder.git(["update-index", "--skip-worktree", "left"]);
      expect(folder.version()).toBe(version === 2 ? 3 : 4);
      expect(folder.read()).toEqual(["gone", "later", "left"]);
    }
  });

  it("lists files whose trees, resolved conflicts and untracked neighbours git has noted", () => {
    using folder = repository("sha1");
    writeFileSync(join(folder.path, "a"), "");
    folder.git(["add", "a"]);
    folder.git(["commit", "--message", "a"]);
    folder.git(["update-index", "--force-untracked-cache"]);
    const bytes = readFileSync(folder.index);
    expect(["TREE", "UNTR"].map((extension) => bytes.includes(extension))).toEqual([true, true]);
    expect(folder.read()).toEqual(["a"]);
  });

  it.each(kinds)("lists paths up to git's limit (version $version, $hash)", ({ hash, version }) => {
    using folder = repository(hash, version);
    const long = [4094, 4095, 4096].map((length) => ({ path: Buffer.from("p".repeat(length)) }));
    folder.add(long);
    expect(folder.read().map((one) => one.length)).toEqual([4094, 4095, 4096]);
    folder.add([{ path: Buffer.from("p".repeat(4097)) }]);
    expect(folder.read).toThrow(GitIndexError);
  });

  it.each(kinds)("accepts a checksum of zeros, which git may leave (version $version, $hash)", (kind) => {
    using folder = repository(kind.hash, kind.version);
    folder.add(["a/b", "a/c", "d"].map((one) => ({ path: Buffer.from(one) })));
    const bytes = readFileSync(folder.index);
    bytes.fill(0, bytes.length - kind.hashBytes);
    expect([...pathsInIndex(bytes)]).toEqual(["a/b", "a/c", "d"]);
  });

  it.each(kinds)("refuses an index with any byte changed or missing (version $version, $hash)", ({ hash, version }) => {
    using folder = repository(hash, version);
    folder.add(["a/b", "a/c"].map((one) => ({ path: Buffer.from(one) })));
    const bytes = readFileSync(folder.index);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at);
      expect(() => [...pathsInIndex(changed)], `changed at ${String(at)}`).toThrow(GitIndexError);
      expect(() => [...pathsInIndex(bytes.subarray(0, at))], `cut at ${String(at)}`).toThrow(GitIndexError);
    }
  });

  it("refuses a split index, also one without checksum", () => {
    using folder = repository("sha1");
    folder.add([{ path: Buffer.from("a") }]);
    folder.git(["update-index", "--split-index"]);
    expect(folder.read).toThrow("its index is split; run git update-index --no-split-index");
    const bytes = readFileSync(folder.index);
    bytes.fill(0, bytes.length - 20);
    expect(() => [...pathsInIndex(bytes)]).toThrow(GitIndexError);
    folder.git(["update-index", "--no-split-index"]);
    expect(folder.read()).toEqual(["a"]);
  });

  it("refuses a sparse index", () => {
    using folder = repository("sha1");
    for (const name of ["kept", "left"]) mkdirSync(join(folder.path, name));
    for (const name of ["kept/a", "left/b"]) writeFileSync(join(folder.path, name), "");
    folder.git(["add", "."]);
    folder.git(["commit", "--message", "all"]);
    folder.git(["sparse-checkout", "init", "--cone", "--sparse-index"]);
    folder.git(["sparse-checkout", "set", "kept"]);
    expect(folder.read).toThrow("its index is sparse; run git sparse-checkout reapply --no-sparse-index");
    folder.git(["sparse-checkout", "reapply", "--no-sparse-index"]);
    expect(folder.read()).toEqual(["kept/a", "left/b"]);
  });
});

const header = (version: number, count: number) => {
  const bytes = Buffer.from("DIRC\0\0\0\0\0\0\0\0");
  bytes.writeUInt32BE(version, 4);
  bytes.writeUInt32BE(count, 8);
  return bytes;
};
const extension = (name: string) => Buffer.concat([Buffer.from(`${name}\0\0\0\x03`), Buffer.from("abc")]);

describe("the reader of git's index, without git", () => {
  const read = (...parts: Buffer[]) => [...pathsInIndex(withChecksum(Buffer.concat(parts), "sha1"))];

  it("ignores an unknown extension that git ignores, and refuses one that git requires", () => {
    expect(read(header(2, 0), extension("XYZW"))).toEqual([]);
    for (const name of ["xyzw", "1234", "\0\0\0\0"])
      expect(() => read(header(2, 0), extension(name))).toThrow("an unknown extension that git requires");
    expect(() => read(header(2, 0), Buffer.from("XYZW\0\0\0\x04abc"))).toThrow("its index is damaged");
  });

  it("refuses other versions, a number of entries that are not there, and what is no index", () => {
    for (const version of [0, 1, 5]) expect(() => read(header(version, 0))).toThrow("unknown version");
    expect(() => read(header(2, 0xffff_ffff))).toThrow("its index is damaged");
    for (const text of ["", "DIRC", "x".repeat(100)])
      expect(() => [...pathsInIndex(Buffer.from(text))]).toThrow("its index is damaged");
  });

  it("refuses a small file of version 4 whose compressed paths are longer than any memory", () => {
    const entryOf = (stripped: number, own: string, length: number) => {
      const fixed = Buffer.alloc(62);
      fixed.writeUInt32BE(0o100644, 24);
      fixed.writeUInt16BE(Math.min(length, 0xfff), 60);
      return Buffer.concat([fixed, Buffer.from([stripped]), Buffer.from(`${own}\0`)]);
    };
    const later = Array.from({ length: 70_000 }, () => entryOf(1, "b", 4096));
    const parts = [header(4, later.length + 1), entryOf(0, "a".repeat(4096), 4096), ...later];
    const bytes = withChecksum(Buffer.concat(parts), "sha1");
    expect(() => Array.from(pathsInIndex(bytes), () => undefined)).toThrow("its index is too large");
  });
});
