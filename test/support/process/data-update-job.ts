/** Data that go from an older packaged program to a newer one, and back. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import type { FileEventPage } from "../../../server/contract/app/file-events.ts";
import { updateBackups } from "../../../server/supervisor/data-directory/update-backup.ts";
import { consoleOf, logIn } from "../console/console-scene.ts";
import { launchHearth, plainEnvironment } from "./launch.ts";
import { newerProgram } from "./newer-program.ts";
import { checkWritten, writeAll } from "./written-data.ts";

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

async function filesSeen(at: ReadyFileContent): Promise<string[]> {
  const { events } = (await consoleOf(at).get("/file-events")) as FileEventPage;
  return events.map(({ df }) => df);
}

const report = ({ app }: ReadyFileContent, df: string) =>
  fetch(`${app}/api/inotify/`, { method: "POST", body: new URLSearchParams({ df, ev: "create" }) });

/**
 * @param binary the older program's
 * @param world an empty folder of the same file system
 * @throws AssertionError where it does not go as a person expects
 */
export async function doDataUpdate(binary: string, world: string): Promise<void> {
  const flags = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const newer = version.replace(/^\d/, "9");
  const newerBinary = newerProgram(binary, join(world, "newer"), version, newer);
  const dataDir = join(world, "data");
  const env = { DISPLAY: "", WAYLAND_DISPLAY: "", PATH: join(world, "nothing") };
  const start = (program: string) => launchHearth({ command: [program, ...flags, "--headless"], dataDir, env });

  let headers: Record<string, string>;
  let first: Awaited<ReturnType<typeof writeAll>>;
  let second: Awaited<ReturnType<typeof writeAll>>;
  {
    await using older = start(binary);
    const addresses = await older.ready();
    headers = await logIn(addresses, "ada");
    first = await writeAll(addresses, headers, 1);
    expect((await report(addresses, "/before.txt")).ok).toBe(true);
    await expect.poll(() => filesSeen(addresses)).toEqual(["/before.txt"]);
  }
  {
    await using updated = start(newerBinary);
    const addresses = await updated.ready();
    await updated.prints("backing up the data");
    expect(updateBackups({ data_dir: dataDir })).toMatchObject([{ version }]);
    await checkWritten(addresses, headers, first);
    second = await writeAll(addresses, headers, 2);
    expect((await report(addresses, "/after.txt")).ok).toBe(true);
    await expect.poll(() => filesSeen(addresses)).toHaveLength(2);
  }
  {
    await using refused = start(binary);
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toContain(`--data-dir ${dataDir}-${version}`);
    const [, backup = ""] = /hearth restore (\S+)/.exec(refused.output()) ?? [];
    const args = [...flags, "restore", backup, "--data-dir", dataDir];
    const { stdout } = await promisify(execFile)(binary, args, { env: { ...plainEnvironment(), ...env } });
    expect(stdout).toMatch(/the replaced data is kept in .*before-restore-/);
  }
  await using older = start(binary);
  const addresses = await older.ready();
  await checkWritten(addresses, headers, first);
  expect(await filesSeen(addresses)).toEqual(["/before.txt"]);
  const missing = await fetch(`${addresses.app}/api/articles/${String(second.article)}`, { headers });
  expect(missing.status).toBe(404);
}
