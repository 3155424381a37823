/** A repository around a data directory says much to git, which then runs commands; Hearth only reads what it keeps. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn, hasGit } from "../../support/real-git.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A repository whose list of files misses a part, which its author's command would fetch. */
function plantRepository(repository: string, marker: string): void {
  const git = gitIn(repository);
  git(["init"]);
  for (const name of ["kept", "left"]) mkdirSync(join(repository, name));
  for (const name of ["kept/a", "left/b"]) writeFileSync(join(repository, name), name);
  git(["add", "kept", "left"]);
  git(["commit", "--message", "all"]);
  git(["sparse-checkout", "init", "--cone", "--sparse-index"]);
  git(["sparse-checkout", "set", "kept"]);
  const missing = git(["rev-parse", "HEAD:left"]).toString().trim();
  rmSync(join(repository, ".git", "objects", missing.slice(0, 2), missing.slice(2)));
  for (const [name, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.url", repository],
    ["remote.origin.promisor", "true"],
    ["remote.origin.uploadpack", `touch '${marker}'; false`],
    ["core.fsmonitor", `touch '${marker}'`],
    ["core.hooksPath", join(repository, "hooks")],
  ] as const)
    git(["config", name, value]);
}

/** A project in a folder of its own, whose data directory Hearth has made. */
async function project() {
  const folder = temporaryFolder();
  const cwd = join(folder.path, "shared", "clone");
  const home = join(folder.path, "home");
  for (const path of [cwd, home]) mkdirSync(path, { recursive: true });
  writeFileSync(join(cwd, "hearth.config.json"), JSON.stringify({ data_dir: "data" }));
  const env = { HOME: home, XDG_DATA_HOME: home, TMPDIR: home };
  const hearth = (...args: string[]) => runCommand(args, env, cwd);
  expect(await hearth("keys", "add", "mine")).toMatchObject({ code: 0 });
  /** A start with the data directory named. */
  const startNaming = async () => {
    await using run = launchHearth({ cwd, env, dataDir: "data" });
    await run.ready();
  };
  return {
    cwd,
    marker: join(folder.path, "marker"),
    hearth,
    startNaming,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];

describe.runIf(hasGit)("a repository that names commands for git", () => {
  it.each([
    ["of the project", (cwd: string) => cwd],
    ["around the project", (cwd: string) => dirname(cwd)],
  ])("runs none of them when it is that %s", async (_, placeOf) => {
    using folder = await project();
    const place = placeOf(folder.cwd);
    plantRepository(place, folder.marker);
    const refusal = expect.stringMatching(/Hearth cannot read what git tracks in .*its index is sparse/) as string;
    const outcome = await folder.hearth("keys");
    expect(existsSync(folder.marker)).toBe(false);
    expect(outcome).toMatchObject({ code: 2, stderr: refusal });
    expect(await folder.hearth("doctor", "--quick", ...ports)).toMatchObject({ code: 1, stdout: refusal });
    for (const args of [["devices"], ["open"], ["start", ...ports], ["serve", ...ports]])
      expect(await folder.hearth(...args), args[0]).toMatchObject({ code: 2, stderr: refusal });
    expect(existsSync(folder.marker)).toBe(false);
    // The trap is one: git itself runs into it.
    gitIn(place)(["-c", "core.fsmonitor=false", "ls-files"]);
    expect(existsSync(folder.marker)).toBe(true);
  });
});

describe.runIf(process.getuid?.() === 0)("a repository of another user around a project", () => {
  it("is named with the way to confirm it, and asked about no more once it is confirmed", async () => {
    using folder = await project();
    const repository = dirname(folder.cwd);
    execFileSync("git", ["init", "--quiet", repository]);
    execFileSync("chown", ["-R", "4321", join(repository, ".git")]);
    const refusal = expect.stringMatching(
      `data_dir: the git repository in ${repository} belongs to another user [(]4321[)].*: if you trust that user, start once in this folder with --data-dir`,
    ) as string;
    expect(await folder.hearth("keys")).toMatchObject({ code: 2, stderr: refusal });
    await folder.startNaming();
    expect(await folder.hearth("keys")).toMatchObject({ code: 0, stderr: "" });
    // Another owner is another question.
    execFileSync("chown", ["-R", "4322", join(repository, ".git")]);
    expect(await folder.hearth("keys")).toMatchObject({ code: 2 });
  });
});
