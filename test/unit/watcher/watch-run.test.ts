import { expect, it } from "vitest";
import { WatchRun } from "../../../server/app/file-events/watch-run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("A folder that cannot be watched is told of when the reason changes, not at each try", async () => {
  using folder = temporaryFolder();
  const tries = ["gone", "gone", "gone", "unreadable", "unreadable", undefined, "gone"];
  const told: string[] = [];
  let end: (error: Error) => void = () => undefined;
  const run = new WatchRun(
    { id: 1, path: folder.path, exclude: [], paused: false, catch_up: true, created_at: 0 },
    {
      watcher: {
        async watch({ onEnd }) {
          end = onEnd;
          const reason = tries.shift();
          if (reason !== undefined) throw new Error(reason);
          return { waiting: () => 0, stop: async () => undefined };
        },
        ask: async () => undefined,
        forget: async () => undefined,
      },
      options: () => ({ to: "", queueFile: "", ownFolder: "" }),
      onFailure: (reason) => told.push(reason),
      onSettled: () => undefined,
      retryAfterMs: 1,
    },
  );
  await run.follow(run.declared());
  await expect.poll(() => run.view().state).toBe("watching");
  expect(told).toEqual(["gone", "unreadable"]);
  end(new Error("gone"));
  await expect.poll(() => told).toEqual(["gone", "unreadable", "gone"]);
  await run.end();
});

it("A folder whose file system does not answer has failed, with the reason, until it does", async () => {
  using folder = temporaryFolder();
  let isSilent = true;
  const settled: string[] = [];
  const run = new WatchRun(
    { id: 1, path: folder.path, exclude: [], paused: false, catch_up: true, created_at: 0 },
    {
      watcher: {
        watch: async () => ({ waiting: () => 0, stop: async () => undefined }),
        ask: async () => {
          if (isSilent) throw new Error("silent");
        },
        forget: async () => undefined,
      },
      options: () => ({ to: "", queueFile: "", ownFolder: "" }),
      onFailure: () => undefined,
      onSettled: () => settled.push(run.view().state),
      retryAfterMs: 1,
    },
  );
  await run.follow(run.declared());
  await expect.poll(() => run.view()).toMatchObject({ state: "failed", reason: "silent" });
  isSilent = false;
  await expect.poll(() => run.view().state).toBe("watching");
  expect(settled).toEqual(["failed", "watching"]);
  await run.end();
});
