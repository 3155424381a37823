/** A start on a full disk ends in words that name the folder and the way on, whatever of the start has no room. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settingsSchema } from "../../../server/contract/process/settings.ts";
import { builtCommand, launchHearth, plainEnvironment } from "../../support/process/launch.ts";
import { startMessage } from "../../support/process/start-message.ts";
import { diskOf, hasSmallDisks, withSmallDisk, type SmallDiskSize } from "../../support/process/small-disk.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let disk: string;
beforeEach(() => {
  folder = temporaryFolder();
  disk = join(folder.path, "disk");
  mkdirSync(disk);
});
afterEach(() => folder[Symbol.dispose]());

const serve = [process.execPath, builtCommand, "serve"] as const;
const dataDir = () => join(disk, "data");

/** What a start says that comes to its end by itself. */
async function refusal(options: Parameters<typeof launchHearth>[0]): Promise<string> {
  await using hearth = launchHearth(options);
  expect(await hearth.exited).toBe(1);
  expect(existsSync(hearth.readyFile)).toBe(false);
  expect(hearth.leftovers()).toEqual([]);
  const output = hearth.output();
  expect(output).not.toMatch(/^\s+at /m);
  return output;
}

describe.runIf(hasSmallDisks)("a start on a full disk", () => {
  it("is refused where the data directory has no room, with the numbers, and before anything is opened", async () => {
    const output = await refusal({ command: withSmallDisk(disk, { kilobytes: 1_000 }, serve), dataDir: dataDir() });
    expect(output).toBe(
      `hearth: the disk of the data directory ${dataDir()} is full: 1.0 MB are free, and a start needs 4.0 MB; free some space, or choose another folder with --data-dir\n`,
    );
  });

  it("is refused where no more files can be made", async () => {
    const size = { kilobytes: 20_000, files: 24 };
    const output = await refusal({ command: withSmallDisk(disk, size, serve), dataDir: dataDir() });
    expect(output).toContain(`the disk of the data directory ${dataDir()} cannot store more files: 22 are left`);
  });

  it("is refused where the ready file has no room", async () => {
    const readyFile = join(disk, "ready.json");
    const command = withSmallDisk(disk, { kilobytes: 64, filled: 64 }, serve);
    const output = await refusal({ command, flags: ["--ready-file", readyFile] });
    expect(output).toContain(
      `hearth: ready file ${readyFile} cannot be written: its disk is full; free some space, or choose another with --ready-file\n`,
    );
  });

  it("is refused where the folder for sockets has no room", async () => {
    const command = withSmallDisk(disk, { kilobytes: 64, files: 1 }, serve);
    const output = await refusal({ command, env: { TMPDIR: disk } });
    expect(output).toMatch(/^hearth: the disk that holds .*\/disk\/hearth-[0-9a-f]+ is full: free some space/);
  });

  it("goes on though the file that its log goes into has no room", async () => {
    const log = join(disk, "log");
    const command = withSmallDisk(disk, { kilobytes: 64, filled: 64 }, serve, log);
    await using hearth = launchHearth({ command });
    const { app, pid } = await hearth.ready();
    expect((await fetch(`${app}/healthz`)).status).toBe(200);
    const room = diskOf(pid, disk);
    expect(statSync(room.at("log")).size).toBe(0);
    room.makeRoom();
    hearth.child.kill("SIGTERM");
    expect(await hearth.exited).toBe(0);
  });
});

/** Ends of room in the midst of a start: tables, the memory that databases share, keys, folders. */
const ends: SmallDiskSize[] = [
  { kilobytes: 8 },
  { kilobytes: 100 },
  { kilobytes: 250 },
  { kilobytes: 400 },
  { kilobytes: 4_000, files: 4 },
  { kilobytes: 4_000, files: 8 },
];

describe.runIf(hasSmallDisks)("the application server", () => {
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach((child) => child.kill("SIGKILL")));

  it("says that the disk is full, wherever it runs out of room", async () => {
    const settings = settingsSchema.parse({ data_dir: dataDir(), app_port: 0, provider_port: 0 });
    const env = plainEnvironment();
    const outcomes = ends.map(async (size) => {
      const [program, ...args] = withSmallDisk(disk, size, [process.execPath, join(builtCommand, "../app.js")]);
      const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit", "ipc"] });
      child.send(startMessage(settings));
      children.push(child);
      let output = "";
      child.stdout?.on("data", (text) => (output += String(text)));
      const ended = once(child, "close");
      const [message] = (await once(child, "message")) as [object];
      child.kill("SIGKILL");
      await ended;
      return [message, output];
    });
    const message = expect.stringMatching(
      /cannot start: the disk of .*\/disk\/data (is full: |cannot store more files: )/,
    ) as string;
    for (const outcome of await Promise.all(outcomes))
      expect(outcome).toEqual([{ type: "failed", code: "disk_full", message }, ""]);
    expect(readdirSync(disk)).toEqual([]);
  });
});
