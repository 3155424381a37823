/** Exclude patterns that take for ever on some names. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runWatch } from "../../../server/watcher/run-watch.ts";
import { fileEventReceiver } from "../../support/process/file-event-receiver.ts";
import { quietLog } from "../../support/quiet-log.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
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
