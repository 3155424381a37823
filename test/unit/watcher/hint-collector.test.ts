import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createChangeDetector } from "../../../server/watcher/change-detector.ts";
import { readFacts } from "../../../server/watcher/file-facts.ts";
import { createHintCollector } from "../../../server/watcher/hint-collector.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function collected(root: string) {
  const reported: string[] = [];
  const detector = createChangeDetector({
    root,
    readFacts,
    report: ({ path, ev }) => reported.push(`${ev} ${path.slice(root.length + 1)}`),
    note: () => undefined,
    onReplaced: () => undefined,
    now: () => 0,
    exact: true,
  });
  const collector = createHintCollector({
    detector,
    ignored: () => false,
    ignoredEach: (paths) => paths.map(() => false),
    seenUntil: () => Date.now(),
    onWorked: () => undefined,
    onRecovered: () => undefined,
  });
  return { reported, detector, collector };
}

it("reports the renames of more files than one batch checks as moves when only their folder's scan shows them", async () => {
  using temporary = temporaryFolder();
  const at = (name: string) => join(temporary.path, "folder", name);
  const names = Array.from({ length: 2_500 }, (_, i) => `${i}`);
  mkdirSync(join(temporary.path, "folder"));
  for (const name of names) writeFileSync(at(name), "");
  const { reported, detector, collector } = collected(temporary.path);
  collector.lookThrough(temporary.path);
  await collector.idle();
  collector.lookThrough(join(temporary.path, "folder"));
  await collector.idle();
  detector.started();
  for (const name of names) renameSync(at(name), at(`r${name}`));
  collector.lookThrough(join(temporary.path, "folder"));
  await collector.idle();
  collector.finish();
  expect(reported.toSorted()).toEqual(
    names.flatMap((name) => [`move folder/${name}`, `move folder/r${name}`]).toSorted(),
  );
});
