/** Another folder in the place of the watched one, or of one in it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAskFolder } from "../../../server/watcher/folder/ask-folder.ts";
import { watchedAtTimes } from "../../support/process/watched-at-times.ts";
import { watchedFolder } from "../../support/process/watched-folder.ts";

describe("the watcher goes on", () => {
  it("with the folder that takes the place of the watched one, time and again", async () => {
    await using folder = await watchedFolder({ prepare: "mkdir js; echo 1 > js/app.js; echo 1 > old" });
    for (const turn of ["first", "second"]) {
      const made = `mkdir -p $OUTSIDE/${turn}/js; echo 2 > $OUTSIDE/${turn}/js/app.js; echo 2 > $OUTSIDE/${turn}/old-${turn}`;
      const swapped = `mv "$PWD" $OUTSIDE/before-${turn}; mv $OUTSIDE/${turn} "$PWD"`;
      const gone = turn === "first" ? "delete old" : "delete old-first";
      const lines = await folder.after(`${made}; ${swapped}`, gone);
      expect(lines.filter((line) => line.endsWith(` old-${turn}`))).not.toEqual([]);
      await folder.after("echo 3 >> js/app.js", "modify js/app.js");
      expect(await folder.after("echo 3 > js/later", "modify js/later")).toContain("create js/later");
    }
    folder.sh("echo 4 >> $OUTSIDE/before-first/js/app.js");
    expect(await folder.after("echo 4 > last", "modify last")).toEqual(["create last", "modify last"]);
  });

  it("with one that holds a folder of its own name", async () => {
    await using folder = await watchedFolder({ prepare: "mkdir watched; echo 1 > watched/old; echo 1 > old" });
    const made = "mkdir -p $OUTSIDE/n/watched; echo 2 > $OUTSIDE/n/watched/old";
    await folder.after(`${made}; mv "$PWD" $OUTSIDE/before; mv $OUTSIDE/n "$PWD"`, "delete old");
    await folder.after("echo 3 >> watched/old", "modify watched/old");
  });

  it("in folders that are made again with an entry of their own name", async () => {
    const each = (commands: string) => `for i in $(seq 20); do cd t$i; ${commands}; cd ..; done`;
    const made = "mkdir app; echo 1 > app/app";
    await using folder = await watchedFolder({ prepare: `for i in $(seq 20); do mkdir t$i; done; ${each(made)}` });
    await folder.after(each(`rm -r app; ${made}`), "create t20/app");
    for (let i = 1; i <= 20; i++)
      await expect
        .poll(() => {
          appendFileSync(join(folder.dir, `t${i}/app/probe`), "1");
          return folder.lines();
        })
        .toContain(`modify t${i}/app/probe`);
  });

  it("with the folder that is there after one above it is replaced", async () => {
    await using folder = await watchedAtTimes("mkdir -p up/site/js; echo 1 > up/site/js/app.js; echo 1 > up/site/old");
    const watch = await folder.start({ dir: join(folder.dir, "up/site") });
    const lines = () => folder.receiver.lines(folder.dir);
    folder.sh("mkdir -p n/site/js; echo 2 > n/site/js/app.js; mv up before; mv n up");
    await expect.poll(lines).toContain("delete up/site/old");
    folder.sh("echo 3 > up/site/js/later");
    await expect.poll(lines).toContain("modify up/site/js/later");
    await watch.stop();
  });

  it("in the folder that a symbolic link in the path leads to now, time and again, and in its next run", async () => {
    await using folder = await watchedAtTimes(
      // Files of one size and one moment would count as unchanged.
      "for n in 1 2; do mkdir -p r$n/site/js; seq $n > r$n/site/js/app.js; echo $n > r$n/site/of$n; done; ln -s r1 current",
    );
    const dir = join(folder.dir, "current/site");
    const watch = await folder.start({ dir });
    const seen = () => folder.receiver.lines(dir);
    const since = (count: number) => seen().slice(count);
    for (const [now, before] of [
      [2, 1],
      [1, 2],
    ]) {
      const count = seen().length;
      folder.sh(`ln -s r${String(now)} next; mv -T next current`);
      const changes = [`create of${String(now)}`, `delete of${String(before)}`, "modify js/app.js"];
      await expect.poll(() => since(count).toSorted()).toEqual(changes);
      folder.sh(`echo 3 >> r${String(before)}/site/js/app.js; echo 3 > current/site/js/later${String(now)}`);
      await expect.poll(() => since(count + 3)).toContain(`modify js/later${String(now)}`);
      expect(since(count + 3)).not.toContain("modify js/app.js");
      folder.sh("rm current/site/js/later*");
      await expect.poll(() => seen().at(-1)).toBe(`delete js/later${String(now)}`);
    }
    await watch.stop();
    const count = seen().length;
    folder.sh("rm current/site/of1");
    const next = await folder.start({ dir });
    await expect.poll(() => since(count)).toEqual(["delete of1"]);
    await next.stop();
    expect(folder.log()).not.toContain("the last run watched another folder");
  });

  it("once the file system of its path answers, and stops before that where it has to", async () => {
    await using folder = await watchedAtTimes("mkdir r1 r2; echo 1 > r1/of1; echo 2 > r2/of2; ln -s r1 current");
    const dir = join(folder.dir, "current");
    let silent: PromiseWithResolvers<void> | undefined;
    const askFolder = createAskFolder(async () => silent?.promise, 1);
    const watch = await folder.start({ dir, askFolder });
    const lines = () => folder.receiver.lines(dir);
    silent = Promise.withResolvers();
    folder.sh("ln -sfn r2 current");
    await expect.poll(folder.log).toContain("does not respond");
    expect(lines()).toEqual([]);
    silent.resolve();
    await expect.poll(lines).toContain("create of2");
    expect(folder.log()).toContain("answers again");
    silent = Promise.withResolvers();
    await watch.stop();
    folder.sh("rm current/of2");
    const next = await folder.start({ dir });
    await expect.poll(lines).toContain("delete of2");
    await next.stop();
  });

  it("in the folder that the path leads to now without Hearth's own files, which may lie there", async () => {
    await using folder = await watchedAtTimes("mkdir -p r1/data r2/data; echo 1 > r1/data/of1; ln -s r1 current");
    const [dir, ownFolder] = [join(folder.dir, "current"), join(folder.dir, "r2/data")];
    const watch = await folder.start({ dir, ownFolder, queueFile: join(ownFolder, "watch/q") });
    const lines = () => folder.receiver.lines(dir);
    folder.sh("ln -sfn r2 current; echo 2 > r2/of2");
    await expect.poll(lines).toContain("create of2");
    folder.sh("echo 2 > r2/data/hearth.db; echo 2 > r2/later");
    await expect.poll(lines).toContain("modify later");
    expect(lines().filter((line) => line.includes("data"))).toEqual([]);
    folder.sh("ln -sfn r1 current");
    await expect.poll(lines).toContain("create data/of1");
    await watch.stop();
  });

  it("without its queue, by whatever link that is named", async () => {
    await using folder = await watchedAtTimes("mkdir r1; ln -s r1 current");
    const dir = join(folder.dir, "current");
    const watch = await folder.start({ dir, queueFile: join(folder.dir, "r1/q") });
    folder.sh("echo 1 > current/a");
    await expect.poll(() => folder.receiver.lines(dir)).toContain("modify a");
    await watch.stop();
    expect(folder.receiver.lines(dir)).toEqual(["create a", "modify a"]);
  });

  it("reporting nothing of the folder that the path led to before, whatever becomes of it", async () => {
    await using folder = await watchedAtTimes(
      "for n in 1 2; do mkdir -p r$n/js; seq $n > r$n/js/app.js; seq $n > r$n/kept; done; ln -s r1 current",
    );
    const dir = join(folder.dir, "current");
    const watch = await folder.start({ dir });
    const lines = () => folder.receiver.lines(dir);
    folder.sh("ln -sfn r2 current; rm -rf r1");
    await expect.poll(() => lines().length).toBe(2);
    folder.sh("echo 3 > current/last");
    await expect.poll(lines).toContain("modify last");
    expect(lines().toSorted()).toEqual(["create last", "modify js/app.js", "modify kept", "modify last"]);
    await watch.stop();
  });

  it("and its next run takes that folder for the one it knows", async () => {
    await using folder = await watchedAtTimes("echo 1 > old");
    const watch = await folder.start();
    folder.sh('mkdir ../n; echo 2 > ../n/kept; mv "$PWD" ../before; mv ../n "$PWD"');
    await expect.poll(() => folder.receiver.lines(folder.dir)).toContain("delete old");
    await watch.stop();
    folder.sh("rm kept");
    expect(await folder.run()).toEqual(["delete kept"]);
    expect(folder.log()).not.toContain("the last run watched another folder");
  });
});

describe("the watcher ends", () => {
  const main = join(import.meta.dirname, "../../../server/watcher/main.ts");

  it("alone, not its process, with an error that nothing expects, and can be started again", async () => {
    await using folder = await watchedAtTimes();
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<Error>();
    const onChanges = () => {
      throw new Error("unexpected");
    };
    const watch = await folder.start({ onChanges, onEnd });
    folder.sh("echo 1 > a");
    expect((await ended).message).toBe("unexpected");
    await watch.stop();
    folder.sh("echo 1 > b");
    expect(await folder.run()).toContain("create b");
  });

  it("saying why, when the path leads to a folder that it cannot watch, of which it reports nothing", async () => {
    await using folder = await watchedAtTimes("mkdir -p r1 data/r2; echo 1 > r1/a; ln -s r1 current");
    const [dir, data] = [join(folder.dir, "current"), join(folder.dir, "data")];
    const child = spawn(process.execPath, [main, dir, "--to", folder.receiver.url, "--data-dir", data], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(child, "close");
    let [log, errors] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (log += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    try {
      await expect.poll(() => log).toMatch(/\bwatching\b/);
      folder.sh("ln -sfn data/r2 current");
      expect(await ended).toEqual([2, null]);
    } finally {
      child.kill("SIGKILL");
    }
    expect(errors).toContain(`hearth watch: ${dir}: contains Hearth's own files`);
    expect(folder.receiver.received).toEqual([]);
  });
});
