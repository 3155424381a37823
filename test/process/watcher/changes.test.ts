/** The watcher on real commands, a real folder and a real receiver. Linux tells each change; the test is for Linux. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runWatch } from "../../../server/watcher/run-watch.ts";
import { fileEventReceiver } from "../../support/process/file-event-receiver.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { watchedAtTimes } from "../../support/process/watched-at-times.ts";
import { untilOld, watchedFolder } from "../../support/process/watched-folder.ts";

describe("the watcher reports", () => {
  it("what is in a folder that is deleted and made again before anybody looks", async () => {
    await using folder = await watchedFolder({
      prepare: "mkdir -p dist/deep; echo 1 > dist/old; echo 1 > dist/deep/old",
    });
    const again = "rm -r dist; mkdir -p dist/deep; echo 2 > dist/fresh; echo 2 > dist/deep/fresh";
    for (const turn of [1, 2]) {
      const lines = await folder.after(again, "modify dist/deep/fresh");
      expect(lines, String(turn)).toEqual(expect.arrayContaining(["create dist/fresh", "modify dist/fresh"]));
    }
    expect(await folder.after("echo 3 > dist/later", "modify dist/later")).toContain("create dist/later");
    expect(await folder.after("echo 3 > dist/deep/later", "modify dist/deep/later")).toContain(
      "create dist/deep/later",
    );
  });

  it("nothing of the files that are there at the start", async () => {
    await using folder = await watchedFolder({ prepare: "echo 1 > old; mkdir -p a/b; echo 2 > a/b/old" });
    expect(await folder.after("echo 3 > new", "modify new")).toEqual(["create new", "modify new"]);
  });

  it("create, modify, attrib and delete of a file", async () => {
    await using folder = await watchedFolder({ prepare: "echo 1 > old; echo 1 > other" });
    expect(await folder.after("echo 2 >> old", "modify old")).toEqual(["modify old"]);
    expect(await folder.after("chmod 600 old", "attrib old")).toEqual(["attrib old"]);
    expect(await folder.after("touch old", "attrib old")).toEqual(["attrib old"]);
    expect(await folder.after("touch -d 2001-01-01 other", "attrib other")).toEqual(["attrib other"]);
    expect(await folder.after("rm old", "delete old")).toEqual(["delete old"]);
    expect(await folder.after("touch empty", "attrib empty")).toEqual(["create empty", "attrib empty"]);
    expect(await folder.after("ln -s other link", "create link")).toEqual(["create link"]);
    expect(await folder.after("ln other hard", "create hard")).toEqual(["create hard"]);
  });

  it("chmod and a rewrite at the same size of a file that was made while it watched", async () => {
    await using folder = await watchedFolder();
    await folder.after("echo abc > made", "modify made");
    expect(await folder.after("chmod 600 made", "attrib made")).toEqual(["attrib made"]);
    expect(await folder.after("echo xyz > made", "modify made")).toContain("modify made");
  });

  it("a rename inside the tree as two moves, the old path first", async () => {
    await using folder = await watchedFolder({ prepare: "echo 1 > a; mkdir sub" });
    expect(await folder.after("mv a b", "move b")).toEqual(["move a", "move b"]);
    expect(await folder.after("mv b sub/c", "move sub/c")).toEqual(["move b", "move sub/c"]);
    // Whether the new folder is looked through in time tells a move from a deletion.
    expect(await folder.after("mkdir new && mv sub/c new/", "move new/c")).toEqual([
      "create new",
      expect.stringMatching(/^(?:move|delete) sub\/c$/),
      "move new/c",
    ]);
  });

  it("a file moved in as move when it is old and as create when it is new, a file moved out as delete", async () => {
    await using folder = await watchedFolder({ prepare: "echo 1 > $OUTSIDE/aged" });
    await untilOld(join(folder.outside, "aged"));
    expect(await folder.after("mv $OUTSIDE/aged .", "move aged")).toEqual(["move aged"]);
    expect(await folder.after("mv aged $OUTSIDE/", "delete aged")).toEqual(["delete aged"]);
    expect(await folder.after("echo 1 > $OUTSIDE/young; mv $OUTSIDE/young .", "create young")).toEqual([
      "create young",
    ]);
  });

  it("create, move and delete of folders, one notification for a whole renamed tree", async () => {
    await using folder = await watchedFolder();
    expect(await folder.after("mkdir -p a/b; echo 1 > a/b/f", "modify a/b/f")).toEqual([
      "create a",
      "create a/b",
      "create a/b/f",
      "modify a/b/f",
    ]);
    expect(await folder.after("mv a z", "move z")).toEqual(["move a", "move z"]);
    expect(await folder.after("echo 2 >> z/b/f", "modify z/b/f")).toEqual(["modify z/b/f"]);
    expect(await folder.after("mv z $OUTSIDE/", "delete z")).toEqual(["delete z"]);
    await untilOld(join(folder.outside, "z"));
    expect(await folder.after("mv $OUTSIDE/z .", "move z")).toEqual(["move z"]);
    expect(await folder.after("echo 3 >> z/b/f", "modify z/b/f")).toEqual(["modify z/b/f"]);
    expect(await folder.after("rm -r z", "delete z")).toEqual(["delete z/b/f", "delete z/b", "delete z"]);
  });

  it.each([
    ["another one", "mkdir d; touch d/x", "create d/x"],
    ["a file", "touch d", "create d"],
  ])("the contents of a folder that becomes %s before it, and no error", async (_what, becomes, last) => {
    await using folder = await watchedAtTimes("mkdir -p d/d; touch d/x d/d/y");
    const watch = await folder.start();
    const lines = () => folder.receiver.lines(folder.dir);
    folder.sh(`rm d/d/y; rmdir d/d; rm d/x; rmdir d; ${becomes}`);
    await expect.poll(lines).toContain(last);
    await watch.stop();
    const gone = ["delete d/d/y", "delete d/d", "delete d/x", "delete d"];
    expect(lines().filter((line) => line.startsWith("delete"))).toHaveLength(4);
    expect(lines().slice(0, 5).toSorted()).toEqual([...gone, "create d"].toSorted());
    expect(lines().slice(3, 5)).toEqual(["delete d", "create d"]);
    expect(folder.log()).not.toContain("ENOTDIR");
  });

  it("the saves of editors: by rename, with a backup, in place, and of a file made anew", async () => {
    await using folder = await watchedFolder({ prepare: "for f in a b c d; do echo 1 > $f; done" });
    expect(await folder.after("echo 22 > $OUTSIDE/t; mv $OUTSIDE/t a", "move a")).toEqual(["move a"]);
    expect(await folder.after("mv b b~; echo 22 > b", "modify b")).toEqual([
      "move b",
      "move b~",
      "create b",
      "modify b",
    ]);
    expect(await folder.after("echo 22 > c", "modify c")).toContain("modify c");
    expect(await folder.after("rm d; echo 22 > d", "modify d")).toEqual(["delete d", "create d", "modify d"]);
  });

  it("every file of a git checkout", async () => {
    await using folder = await watchedFolder({
      prepare: `git init -q -b main . && git config user.email a@b.c && git config user.name n
        echo 1 > a; echo 1 > b; git add . && git commit -qm 1
        git checkout -q -b other; echo 22 > a; git rm -q b; mkdir sub; echo 3 > sub/c; git add . && git commit -qm 2`,
      exclude: ["/\\.git(/|$)"],
    });
    const lines = await folder.after("git checkout -q main", "delete sub");
    await expect.poll(folder.lines).toContain("create b");
    expect(lines.filter((line) => line.includes(".git"))).toEqual([]);
    expect(folder.receiver.changesOf(join(folder.dir, "a")).at(-1)).toBe("modify");
    expect(folder.receiver.changesOf(join(folder.dir, "sub/c"))).toEqual(["delete"]);
  });

  it("names in any language and with characters that forms give a meaning, whole", async () => {
    await using folder = await watchedFolder();
    for (const name of ["文件 名.txt", "a&b=c+d%20", "naïve 🙂", "new\nline", "-n"]) {
      writeFileSync(join(folder.dir, name), "x");
      await expect.poll(folder.lines).toContain(`modify ${name}`);
    }
    expect(
      folder.receiver.received.every(({ contentType }) => contentType === "application/x-www-form-urlencoded"),
    ).toBe(true);
  });

  it("the content of a file that is overwritten by one of the same size with its times", async () => {
    const made = "echo 1 > conf; touch -d 2001-01-01 conf; echo 2 > $OUTSIDE/conf; touch -d 2002-02-02 $OUTSIDE/conf";
    await using folder = await watchedFolder({ prepare: made });
    await folder.after("cp -p $OUTSIDE/conf .", "modify conf");
    await expect.poll(folder.lines).toContain("attrib conf");
  });

  it.skipIf(process.platform === "win32")("a file whose name has backslashes, which separate nothing", async () => {
    await using folder = await watchedFolder({ exclude: ["/node_modules(/|$)"] });
    const name = "a\\node_modules\\k";
    expect(await folder.after(`echo 1 > '${name}'`, `modify ${name}`)).toEqual([`create ${name}`, `modify ${name}`]);
  });

  it("a folder under the name that it was given, though that is a symbolic link", async () => {
    using temporary = temporaryFolder();
    await using receiver = await fileEventReceiver();
    const [real, link] = [join(temporary.path, "real"), join(temporary.path, "link")];
    mkdirSync(real);
    symlinkSync(real, link);
    const rest = { exclude: [], patternDeadlineMs: 250, queueFile: join(temporary.path, "queue") };
    const watch = await runWatch({ dir: link, to: receiver.url, ...rest }, quietLog);
    writeFileSync(join(real, "a"), "");
    await expect.poll(() => receiver.received.map(({ df }) => df)).toContain(join(link, "a"));
    await watch.stop();
  });

  it("the folder's files after it was removed and made again, and nothing of the folders beside it", async () => {
    await using folder = await watchedFolder({ prepare: "echo 1 > old" });
    expect(await folder.after('rm -r "$PWD"', "delete old")).toEqual(["delete old"]);
    writeFileSync(join(folder.outside, "beside"), "");
    mkdirSync(folder.dir);
    writeFileSync(join(folder.dir, "new"), "");
    await expect.poll(folder.lines).toContain("create new");
    expect(await folder.after("echo 1 >> new", "modify new")).toEqual(["modify new"]);
    expect(folder.lines().filter((line) => line.includes(".."))).toEqual([]);
  });

  it("each event once, with an id of its own, over one kept-alive connection", async () => {
    await using folder = await watchedFolder();
    await folder.after("for i in 1 2 3 4 5 6 7 8; do echo $i > f$i; done", "modify f8");
    const { received } = folder.receiver;
    expect(received).toHaveLength(16);
    expect(new Set(received.map(({ id }) => id)).size).toBe(16);
    expect(new Set(received.map(({ connection }) => connection)).size).toBe(1);
  });

  it("every file of a burst of 10,000", async () => {
    await using folder = await watchedFolder();
    for (let i = 0; i < 10_000; i++) writeFileSync(join(folder.dir, `f${i}`), "x");
    const created = () => folder.receiver.received.filter(({ ev }) => ev === "create").length;
    await expect.poll(created).toBe(10_000);
    const modified = () => folder.receiver.received.filter(({ ev }) => ev === "modify").length;
    await expect.poll(modified).toBe(10_000);
  });
});

const hasInotifywait = (() => {
  try {
    return execFileSync("sh", ["-c", "command -v inotifywait"]).length > 0;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasInotifywait)("beside inotifywait", () => {
  const names: Record<string, string> = { MOVED_FROM: "move", MOVED_TO: "move" };
  /** Changes by path, repeats of one path collapsed. */
  function byPath(lines: readonly string[]): Record<string, string[]> {
    const changes: Record<string, string[]> = {};
    for (const line of lines) {
      const [event = "", path = ""] = line.split(/ (.*)/s);
      const name = event.split(",")[0] ?? "";
      const list = (changes[path.replace(/\/$/, "")] ??= []);
      const change = names[name] ?? name.toLowerCase();
      if (list.at(-1) !== change) list.push(change);
    }
    return changes;
  }

  it("names the same changes of each path, except that a file moved out is deleted", async () => {
    await using folder = await watchedFolder({ prepare: "echo 1 > old; mkdir dir; echo 1 > dir/f; echo 1 > out" });
    const events = "modify,attrib,move,create,delete";
    const tool = spawn("inotifywait", ["-m", "-r", "-e", events, "--format", "%e %w%f", "."], { cwd: folder.dir });
    try {
      const printed: string[] = [];
      tool.stdout.setEncoding("utf8").on("data", (text: string) => printed.push(...text.split("\n").filter(Boolean)));
      let watching = "";
      tool.stderr.setEncoding("utf8").on("data", (text: string) => (watching += text));
      await expect.poll(() => watching).toContain("Watches established");
      // Each step waits for the one before to be seen, so every file lives long enough for both.
      const steps: [string, string][] = [
        ["touch new", "attrib new"],
        ["echo hello > content", "modify content"],
        ["echo HELLO > content", "modify content"],
        ["chmod 600 content", "attrib content"],
        ["touch content", "attrib content"],
        ["cp -p old copy", "attrib copy"],
        ["mv content renamed", "move renamed"],
        ["mv renamed dir/", "move dir/renamed"],
        ["mkdir made", "create made"],
        ["echo 1 > made/inner", "modify made/inner"],
        ["chmod 700 made", "attrib made"],
        ["mv made shifted", "move shifted"],
        ["echo 2 >> shifted/inner", "modify shifted/inner"],
        ["ln old hard", "create hard"],
        ["truncate -s 0 copy", "modify copy"],
        ["mv copy old", "move old"],
        ["rm -r shifted", "delete shifted"],
        ["rm -r dir", "delete dir"],
        ["mv out $OUTSIDE/", "delete out"],
      ];
      for (const [command, last] of steps) {
        await folder.after(command, last);
        const [, path = ""] = last.split(" ");
        await expect.poll(() => printed.at(-1)?.replace(/\/$/, "").endsWith(`./${path}`)).toBe(true);
      }
      const theirs = byPath(printed.map((line) => line.replace(" ./", " ")));
      expect(theirs["out"]).toEqual(["move"]);
      expect(byPath(folder.lines())).toEqual({ ...theirs, out: ["delete"] });
    } finally {
      tool.kill();
      await once(tool, "exit");
    }
  });
});
