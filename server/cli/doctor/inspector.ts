/**
 * A process of its own for work that may crash its process, or must be aborted from outside: native modules, and
 * databases that are read completely. The parent sends a task and receives the result.
 */
import { appMigrations } from "../../app/app-migrations.ts";
import type { AppTables } from "../../app/features.ts";
import { inspectBucket, inspectUploads, namedContents } from "../../app/uploads/inspect-uploads.ts";
import { openBucket, uploadsFolder } from "../../app/uploads/open-blobs.ts";
import { providerMigrations } from "../../provider/provider-tables.ts";
import { answerBinaryTest } from "../../runner/answer-binary-test.ts";
import { answerTask } from "../../process/lifetime/answer-task.ts";
import type { InspectorTask } from "./ask-inspector.ts";

const migrations = { app: Object.keys(appMigrations), provider: Object.keys(providerMigrations), none: undefined };

/** Loads a module like its users, because only that shows whether its binary runs on this machine. */
async function load(module: Extract<InspectorTask, { type: "load" }>["module"]): Promise<void> {
  switch (module) {
    case "sharp": {
      const { default: sharp } = await import("sharp");
      await sharp({ create: { width: 1, height: 1, channels: 3, background: "black" } })
        .png()
        .toBuffer();
      return;
    }
    case "node-llama-cpp": {
      // A packaged program cannot fork the process in which the engine tries its binary, so this process tries it.
      answerBinaryTest({ has: () => false, add: () => undefined });
      const { getLlama } = await import("node-llama-cpp");
      const llama = await getLlama({ gpu: "auto", build: "never", skipDownload: true, progressLogs: false });
      await llama.dispose();
    }
  }
}

async function work(task: InspectorTask, onProgress: (done: number, total: number) => void): Promise<unknown> {
  if (task.type === "load") return load(task.module);
  if (task.type === "lock") return (await import("../../process/file-lock.ts")).isLocked(task.file);
  const { inspectDatabase, queryDatabase } = await import("../../store/check/read-database.ts");
  if (task.type === "database") return inspectDatabase(task.file, task.inUse, migrations[task.tables]);
  const named = await queryDatabase<AppTables, Awaited<ReturnType<typeof namedContents>>>(
    task.file,
    task.inUse,
    namedContents,
  );
  const { reads, settings } = task;
  const bucket = await openBucket(settings);
  if (bucket) return inspectBucket(named, bucket);
  const folder = uploadsFolder(settings.data_dir);
  return inspectUploads(named, folder, { reads, onProgress: (done) => onProgress(done, named.length) });
}

await answerTask((task: InspectorTask, report) =>
  work(task, (done, total) => report({ type: "progress", done, total })),
);
