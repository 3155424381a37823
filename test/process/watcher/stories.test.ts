/** Whatever happens with and without a watcher, its receiver ends up with what is there. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { watchedAtTimes } from "../../support/process/watched-at-times.ts";

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const places = ["a", "b", "d", "d/a", "d/e", "d/e/a"];
const operation = fc.record({
  does: fc.constantFrom("write", "write", "mkdir", "remove", "rename"),
  to: fc.constantFrom(...places),
  from: fc.constantFrom(...places),
});
/** What happens while a watcher runs, and what while none does. */
const days = fc.array(fc.record({ watched: fc.array(operation), alone: fc.array(operation) }), {
  minLength: 1,
  maxLength: 3,
});

it("a receiver that reads the reported paths ends up with the real content of the folder", async () => {
  await fc.assert(
    fc.asyncProperty(days, async (story) => {
      const seen = new Map<string, "folder" | number>();
      await using folder = await watchedAtTimes("", (_n, { df, ev }) => {
        const path = relative(folder.dir, df);
        const what = check(path);
        // It left with all that was below it: what is there now may be another.
        const hasLeft = ev === "move" || ev === "delete";
        if (hasLeft || what !== "folder")
          for (const known of seen.keys()) if (isWithin(known, path)) seen.delete(known);
        if (what !== undefined) seen.set(path, what);
        if (hasLeft && what === "folder") for (const inner of below(path)) seen.set(inner, check(inner) ?? 0);
        return 202;
      });
      const at = (path: string) => join(folder.dir, path);
      const check = (path: string) => {
        const stats = statSync(at(path), { throwIfNoEntry: false });
        return stats?.isDirectory() ? ("folder" as const) : stats?.size;
      };
      let size = 1;
      const act = ({ does, to, from }: { does: string; to: string; from: string }) => {
        try {
          if (does === "write") writeFileSync(at(to), "x".repeat(size++));
          if (does === "mkdir") mkdirSync(at(to));
          if (does === "remove") rmSync(at(to), { recursive: true });
          if (does === "rename") renameSync(at(from), at(to));
        } catch {
          // Not possible as things are.
        }
      };
      const below = (path: string): string[] =>
        readdirSync(at(path), { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
      const there = () => below("").map((path) => [path, check(path)] as const);
      for (const { watched, alone } of story) {
        const watch = await folder.start();
        watched.forEach(act);
        await watch.stop();
        alone.forEach(act);
      }
      await folder.run();
      expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(there()));
    }),
    { numRuns: 15 },
  );
});
