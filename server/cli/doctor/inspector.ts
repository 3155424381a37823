/**
 * A separate process for tasks that may crash or must be interruptible: loading native modules, and reading whole
 * databases. The task is an argument, the result goes to the parent.
 */
import { appMigrations, type AppTables } from "../../app/app-tables.ts";
import { inspectUploads, namedContents } from "../../app/uploads/inspect-uploads.ts";
import { providerMigrations } from "../../provider/provider-tables.ts";
import type { FromInspector, InspectorTask } from "./ask-inspector.ts";

const migrations = { app: Object.keys(appMigrations), provider: Object.keys(providerMigrations), none: undefined };
const report = (message: FromInspector) => void process.send?.(message);

/** Loads a module as its users do, because only that shows whether its binary fits this machine. */
async function load(module: Extract<InspectorTask, { type: "load" }>["module"]): Promise<void> {
  switch (module) {
    case "better-sqlite3": {
      const { default: Sqlite } = await import("better-sqlite3");
      new Sqlite(":memory:").close();
      return;
    }
    case "sharp": {
      const { default: sharp } = await import("sharp");
      await sharp({ create: { width: 1, height: 1, channels: 3, background: "black" } })
        .png()
        .toBuffer();
      return;
    }
    case "node-llama-cpp": {
      const { getLlama } = await import("node-llama-cpp");
      const llama = await getLlama({ gpu: "auto", build: "never", skipDownload: true, progressLogs: false });
      await llama.dispose();
    }
  }
}

async function work(task: InspectorTask): Promise<unknown> {
  if (task.type === "load") return load(task.module);
  if (task.type === "lock") return (await import("../../process/file-lock.ts")).isLocked(task.file);
  const { inspectDatabase, queryDatabase } = await import("../../store/check/read-database.ts");
  if (task.type === "database") return inspectDatabase(task.file, task.inUse, migrations[task.tables]);
  const named = await queryDatabase<AppTables, Awaited<ReturnType<typeof namedContents>>>(
    task.file,
    task.inUse,
    namedContents,
  );
  const onProgress = (done: number) => report({ type: "progress", done, total: named.length });
  return inspectUploads(named, task.folder, { reads: task.reads, onProgress });
}

try {
  report({ type: "done", result: await work(JSON.parse(process.argv[2] ?? "") as InspectorTask) });
} catch (error) {
  report({ type: "failed", message: (error as Error).message });
}
process.disconnect();
