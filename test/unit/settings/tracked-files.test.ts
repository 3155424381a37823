/** What is said about the repositories around a data directory, whatever lies there in place of one. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { confirmRepositories, noteDirectory, pullProblem } from "../../../server/process/settings/known-directories.ts";
import { gitIn, hasGit } from "../../support/real-git.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A working directory `clone/project` whose data directory has a file in it. */
function world() {
  const folder = temporaryFolder();
  const clone = join(folder.path, "clone");
  const cwd = join(clone, "project");
  const data = join(cwd, "data");
  const users = join(folder.path, "hearth");
  mkdirSync(data, { recursive: true });
  writeFileSync(join(cwd, "hearth.config.json"), '{"data_dir":"data"}');
  writeFileSync(join(data, "keys.json"), "{}");
  noteDirectory(data, users);
  return {
    outside: folder.path,
    clone,
    cwd,
    data,
    dotGit: join(clone, ".git"),
    problem: () => pullProblem(data, users),
    confirm: (where = cwd) => confirmRepositories(where, data, users),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const unsure = (reason: string) =>
  expect.stringMatching(`Hearth cannot read what git tracks in .*/clone [(].*${reason}`);
const kept = (file: string) => expect.stringMatching(`git tracks ${file}, so a pull`);

describe.runIf(hasGit)("a data directory in a real repository", () => {
  it("is nobody else's where git keeps nothing of it, and where git has listed nothing yet", () => {
    using at = world();
    const git = gitIn(at.clone);
    expect(at.problem()).toBeUndefined();
    git(["init"]);
    expect(at.problem()).toBeUndefined();
    git(["add", "project/hearth.config.json"]);
    expect(at.problem()).toBeUndefined();
  });

  it("is anybody's where git keeps a file of it, also one that was deleted, left out, or is to be added", () => {
    using at = world();
    const git = gitIn(at.clone);
    git(["init"]);
    git(["add", "--intent-to-add", "project/data/keys.json"]);
    expect(at.problem()).toEqual(kept("project/data/keys.json"));
    git(["add", "project/data/keys.json"]);
    git(["update-index", "--skip-worktree", "project/data/keys.json"]);
    rmSync(join(at.data, "keys.json"));
    expect(at.problem()).toEqual(kept("project/data/keys.json"));
  });

  it("is anybody's where it is a repository of its own that git keeps", () => {
    using at = world();
    gitIn(at.clone)(["init"]);
    gitIn(at.clone)(["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},project/data`]);
    expect(at.problem()).toEqual(kept("project/data"));
  });

  it.each(["sha1", "sha256"])("is found in a worktree and in a submodule (%s)", (hash) => {
    using at = world();
    const source = join(at.outside, "source");
    mkdirSync(join(source, "project", "data"), { recursive: true });
    writeFileSync(join(source, "project", "data", "devices.json"), "{}");
    const git = gitIn(source);
    git(["init", `--object-format=${hash}`]);
    git(["add", "."]);
    git(["commit", "--message", "all"]);
    const tree = join(at.outside, "tree");
    git(["worktree", "add", tree]);
    renameSync(join(tree, ".git"), at.dotGit);
    expect(readFileSync(at.dotGit, "utf8")).toMatch(/^gitdir: \//);
    expect(at.problem()).toEqual(kept("project/data/devices.json"));

    const outer = join(at.outside, "outer");
    mkdirSync(outer);
    gitIn(outer)(["init", `--object-format=${hash}`]);
    gitIn(outer)(["submodule", "add", source, "clone"]);
    rmSync(join(outer, "clone"), { recursive: true });
    rmSync(at.dotGit);
    renameSync(at.clone, join(outer, "clone"));
    writeFileSync(join(outer, "clone", ".git"), "gitdir: ../.git/modules/clone\n");
    const data = join(outer, "clone", "project", "data");
    expect(pullProblem(data, join(at.outside, "hearth"))).toEqual(kept("project/data/devices.json"));
  });
});

describe("a data directory beside what is no proper repository", () => {
  it.each([
    [
      "an index that is a folder",
      "is no file",
      ({ dotGit }: ReturnType<typeof world>) => mkdirSync(join(dotGit, "index"), { recursive: true }),
    ],
    [
      "an index that is a device",
      "is no file",
      ({ dotGit }) => {
        mkdirSync(dotGit);
        symlinkSync("/dev/zero", join(dotGit, "index"));
      },
    ],
    [
      "an index that is a pipe",
      "is no file",
      ({ dotGit }) => {
        mkdirSync(dotGit);
        execFileSync("mkfifo", [join(dotGit, "index")]);
      },
    ],
    [
      "an index that leads to itself",
      "ELOOP",
      ({ dotGit }) => {
        mkdirSync(dotGit);
        symlinkSync("index", join(dotGit, "index"));
      },
    ],
    [
      "an empty index",
      "damaged",
      ({ dotGit }) => {
        mkdirSync(dotGit);
        writeFileSync(join(dotGit, "index"), "");
      },
    ],
    [
      "an index of 129 MiB",
      "is too large",
      ({ dotGit }) => {
        mkdirSync(dotGit);
        writeFileSync(join(dotGit, "index"), "");
        truncateSync(join(dotGit, "index"), 129 * 2 ** 20);
      },
    ],
    ["a .git that leads nowhere", "ENOENT", ({ dotGit }) => symlinkSync("nowhere", dotGit)],
    ["a .git that leads to itself", "ELOOP", ({ dotGit }) => symlinkSync(".git", dotGit)],
    ["a .git that is a pipe", "is no file", ({ dotGit }) => void execFileSync("mkfifo", [dotGit])],
    ["a .git with other text", "names no folder", ({ dotGit }) => writeFileSync(dotGit, "else")],
    [
      "a .git that names a folder that is gone",
      "which is not a folder",
      ({ dotGit }) => writeFileSync(dotGit, "gitdir: gone\n"),
    ],
    [
      "a .git that names another such file",
      "which is not a folder",
      ({ dotGit, clone }) => {
        writeFileSync(dotGit, "gitdir: next\n");
        writeFileSync(join(clone, "next"), "gitdir: .\n");
      },
    ],
    [
      "a .git that is too large",
      "is too large",
      ({ dotGit }) => writeFileSync(dotGit, "gitdir: .\n".padEnd(9_000, "\n")),
    ],
  ] as [string, string, (at: ReturnType<typeof world>) => void][])("may be anybody's: %s", (_, reason, plant) => {
    using at = world();
    plant(at);
    expect(at.problem()).toEqual(unsure(reason));
    // Nobody else's: a confirmation is none.
    at.confirm();
    expect(at.problem()).toEqual(unsure(reason));
  });
});

describe.runIf(process.getuid !== undefined)("a data directory in a repository of another user", () => {
  const as = (user: number) => vi.spyOn(process as { getuid: () => number }, "getuid").mockReturnValue(user);
  const foreign = expect.stringMatching(
    /the git repository in .*\/clone belongs to another user .* start once in this folder/,
  );

  it("is refused until the user has named it in the project's folder, and then once for each owner", () => {
    using at = world();
    mkdirSync(at.dotGit);
    expect(at.problem()).toBeUndefined();
    const owner = process.getuid?.() ?? 0;
    try {
      as(owner + 1);
      expect(at.problem()).toEqual(foreign);
      at.confirm(at.outside);
      expect(at.problem()).toEqual(foreign);
      at.confirm();
      expect(at.problem()).toBeUndefined();
      // What it shows to keep counts all the same, and what nobody can read does not lock out.
      if (hasGit) {
        vi.restoreAllMocks();
        rmSync(at.dotGit, { recursive: true });
        gitIn(at.clone)(["init"]);
        gitIn(at.clone)(["add", "project/data/keys.json"]);
        as(owner + 1);
        expect(at.problem()).toEqual(kept("project/data/keys.json"));
      }
      writeFileSync(join(at.dotGit, "index"), "damaged");
      expect(at.problem()).toBeUndefined();
    } finally {
      vi.restoreAllMocks();
    }
  });

  it.runIf(process.getuid?.() === 0)(
    "is refused where only its index, or the folder that .git names, is foreign",
    () => {
      using at = world();
      const real = join(at.outside, "real");
      mkdirSync(real);
      writeFileSync(at.dotGit, `gitdir: ${real}\n`);
      expect(at.problem()).toBeUndefined();
      execFileSync("chown", ["4321", real]);
      expect(at.problem()).toEqual(foreign);
      execFileSync("chown", ["0", real]);
      writeFileSync(join(real, "index"), "");
      execFileSync("chown", ["4321", join(real, "index")]);
      expect(at.problem()).toEqual(foreign);
    },
  );
});
