/** What is left out: by exclude patterns, of which some take for ever on some names, and as Hearth's own files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runWatch } from "../../../server/watcher/run-watch.ts";
import { fileEventReceiver } from "../../support/process/file-event-receiver.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { watchedFolder } from "../../support/process/watched-folder.ts";
import { watchedAtTimes } from "../../support/process/watched-at-times.ts";

it("a pattern that takes too long is reported once and dropped; the others still apply, and no event is lost", async () => {
  using temporary = temporaryFolder();
  await using receiver = await fileEventReceiver();
  const names = ["x".repeat(36), "x".repeat(40)];
  // There at the start, too.
  writeFileSync(join(temporary.path, names[0] ?? ""), "");
  const told: string[] = [];
  const watch = await runWatch(
    {
      dir: temporary.path,
      to: receiver.url,
      exclude: ["/(x+x+)+y$", "[.]swp$", "/(x|x)+z$"],
      patternDeadlineMs: 50,
      queueFile: join(temporary.path, "queue"),
      onError: ({ message }) => told.push(message),
    },
    quietLog,
  );
  for (const name of [...names, "a.swp", "last"]) writeFileSync(join(temporary.path, name), "1");
  await expect.poll(() => receiver.lines(temporary.path)).toContain("modify last");
  await watch.stop();
  expect(receiver.lines(temporary.path)).toEqual(expect.arrayContaining(names.map((name) => `modify ${name}`)));
  expect(receiver.lines(temporary.path).filter((line) => line.includes("swp"))).toEqual([]);
  expect(told).toHaveLength(2);
  expect(told).toEqual([expect.stringContaining('"/(x+x+)+y$"'), expect.stringContaining('"/(x|x)+z$"')]);
});

it.each([
  ["/watched$", false],
  ["/watched", true],
])("the pattern %s is said to leave nothing to report: %s", async (pattern, isTold) => {
  await using folder = await watchedAtTimes();
  await (await folder.start({ exclude: [pattern] })).stop();
  expect(folder.log().includes("nothing will be reported")).toBe(isTold);
});

it("the watcher reports nothing of what an exclude pattern matches, nor of anything below it", async () => {
  await using folder = await watchedFolder({ exclude: ["\\.swp$", "/node_modules(/|$)"] });
  const lines = await folder.after(
    "echo 1 > .a.swp; mkdir -p node_modules/x; echo 1 > node_modules/x/y; echo 1 > z",
    "modify z",
  );
  expect(lines).toEqual(["create z", "modify z"]);
});

it("the watcher reports nothing in the data directory of a Hearth, which may be the receiver, also when that is made later", async () => {
  const made = "touch lock.db written-by.json hearth.db";
  await using folder = await watchedFolder({ prepare: `mkdir old; cd old; ${made}` });
  await folder.after(`mkdir new; cd new; ${made}; cd ..; echo 1 > first`, "modify first");
  const write = "for i in old new; do echo 1 > $i/hearth.db; echo 1 > $i/hearth.db-wal; done";
  expect(await folder.after(`${write}; echo 1 > last`, "modify last")).toEqual(["create last", "modify last"]);
  expect(await folder.after("rm old/lock.db; echo 1 > old/a", "modify old/a")).not.toContain("modify old/hearth.db");
});
