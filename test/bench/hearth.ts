/** Runs of the built program for benchmarks, each over a data directory of its own. */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { root } from "./open-bench.ts";
import type { ReadyFileContent } from "../../server/supervisor/ready-file.ts";

export interface HearthRun {
  /** What the ready file says. */
  readonly ready: ReadyFileContent;
  readonly app: string;
  readonly provider: string;
  readonly model: string;
  /** Header that the console's routes want. */
  readonly authorization: string;
  /** Of the command, whose children the services are. */
  readonly pid: number;
  readonly dataDir: string;
}

interface Given {
  readonly folder: string;
  readonly name: string;
  readonly flags: readonly string[];
  /** Whose build runs; this one's unless given. */
  readonly checkout?: string;
}

/** @param start runs node with these arguments, and ends it when the benchmark is over */
export async function startHearth(
  start: (command: string, ...args: string[]) => ChildProcess,
  { folder, name, flags, checkout = root }: Given,
): Promise<HearthRun> {
  const dataDir = join(folder, name);
  const readyFile = join(folder, `${name}.json`);
  const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
  const own = ["--data-dir", dataDir, "--ready-file", readyFile, "--log-level", "warn"];
  const child = start(process.execPath, join(checkout, "dist/cli.js"), "serve", ...own, ...ports, ...flags);
  for (;;) {
    try {
      const ready = JSON.parse(readFileSync(readyFile, "utf8")) as ReadyFileContent;
      const { app, provider, model, console, pid } = ready;
      const authorization = `Bearer ${new URL(console).searchParams.get("token") ?? ""}`;
      return { ready, app, provider, model: model ?? "", authorization, pid, dataDir };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      if (child.exitCode !== null) throw new Error(`serve ended with ${String(child.exitCode)}`, { cause: error });
      await wait(50);
    }
  }
}
