/** However files and folders are renamed one after another, the events lead from the old tree to the new one. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mirrorAfter, readTree } from "../../support/process/told-mirror.ts";
import { watchedAtTimes } from "../../support/process/watched-at-times.ts";

const prepare = `mkdir -p a/a/a a/b b/a c
  for file in a/a/c a/a/a/f a/b/f b/a/f b/c; do echo 1 > $file; done`;

/** Numbers choose among what is there by then, so that nearly every operation is possible. */
const operation = fc.record({
  does: fc.constantFrom("rename", "rename", "rename", "rename", "write", "create", "mkdir", "remove"),
  entry: fc.nat({ max: 99 }),
  folder: fc.nat({ max: 99 }),
  name: fc.constantFrom("a", "b", "c"),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Does it all before a watcher can look. */
function act(dir: string, operations: readonly Operation[]): void {
  for (const [at, { does, entry, folder, name }] of operations.entries()) {
    const { entries } = readTree(dir);
    const paths = [...entries.keys()].toSorted();
    const folders = ["", ...paths.filter((path) => entries.get(path)?.size === undefined)];
    const from = join(dir, paths[entry % paths.length] ?? "a");
    const to = join(dir, folders[folder % folders.length] ?? "", name);
    try {
      if (does === "rename") renameSync(from, to);
      if (does === "write") writeFileSync(from, "x".repeat(10 + at));
      if (does === "create") writeFileSync(to, "x".repeat(10 + at));
      if (does === "mkdir") mkdirSync(to);
      if (does === "remove") rmSync(from, { recursive: true });
    } catch {
      // Not possible as things are.
    }
  }
}

/** What a mirror makes of everything that is told, and what is there. */
async function toldOf(change: (folder: Awaited<ReturnType<typeof watchedAtTimes>>) => void) {
  await using folder = await watchedAtTimes(prepare);
  const before = readTree(folder.dir).entries;
  // `run` makes and removes "new".
  const lines = () => folder.receiver.lines(folder.dir).filter((line) => !line.endsWith(" new"));
  const told = () => mirrorAfter(folder.dir, before, lines());
  const real = () => ({ untrue: [], entries: Object.fromEntries(readTree(folder.dir).entries) });
  const watch = await folder.start();
  change(folder);
  await expect.poll(told).toEqual(real());
  await watch.stop();
  // By now what still waited for a second name is told, too.
  await folder.run();
  expect(told(), lines().join(", ")).toEqual(real());
}

it.each([
  "mv a d; echo 22 > d/a/c; mv d/a e",
  "mv a d; echo 22 > d/new; mv d/new e",
  "mv a d; rm -r d/b",
  "mv a d; mv d/a d/e; mv d/e/c d/e/d",
  "mv a/a a/e; mv a d; rm d/e/c",
  "mv a d; mv d/a e; mv d/b d/a",
  "mv a d; mv d/a e; mv d e/d",
  "mv a d; mv d/a a; mv d a/d; echo 1 > a/d/new",
  "mv a d; mkdir -p a/a; echo 22 > a/a/c; mv d/a/c d/a/d",
  "mv a d; mv b a; mv d b; mv b/a a/b",
  "echo 22 > b/c; mv b/c d; rm -r b; mv d b",
  "mkdir b/e; echo 22 > a/a/a/f; mv a/a/a b/e/d; touch d; echo 22 > d",
  "mkdir a/d; echo 22 > b/d; mv b a/d/e",
  "echo 22 > a/a/a/f; mv a/a c/b; mv c/b/a/f a/a; mv -T a c/b/a",
  "mkdir a/b/b; mv a/b b/b; mv b/a/f a/b; mv a b/b/b/c",
  "mv a/a b/d; mv b/d/c b/a/c; mv b/a a/a",
  "mv a/a a/b/d; touch a/a; echo 22 > a/a; rm -r a/b/d/a; mv a/b/f a/b/d/a",
])("a mirror that takes up what is told of `%s` has the new tree", async (commands) => {
  await toldOf(({ sh }) => sh(commands));
});

it("a mirror that takes up what is told of any renames in a row has the new tree", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 2, maxLength: 12 }), (operations) =>
      toldOf(({ dir }) => act(dir, operations)),
    ),
    { numRuns: 15 },
  );
});
