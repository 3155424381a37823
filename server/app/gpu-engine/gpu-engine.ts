/** The engine's builds for GPUs in the data directory: one at a time is downloaded, installed, tried again and removed. */
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { GpuEngineView } from "../../contract/console/machine/gpu-engine-endpoints.ts";
import { isDiskFull } from "../../contract/process/disk-full.ts";
import { gpuKindSchema, type GpuKind, type GpuPackages } from "../../contract/model/gpu-engine.ts";
import { renameFile } from "../../file-system/rename-file.ts";
import type { OutgoingRequests } from "../../http/outgoing/outgoing-requests.ts";
import { refuse } from "../../http/http-error.ts";
import { fullDiskText } from "../../process/disk-room.ts";
import {
  forgetGpuNote,
  gpuEngineFolder,
  gpuEngineLabel,
  gpuEngineRoot,
  installedGpuKind,
  readGpuNote,
} from "../../process/gpu-engine-files.ts";
import { downloadPackage } from "./download-package.ts";

export interface GpuEngineDeps {
  readonly dataDir: string;
  /** The builds for this system. */
  readonly packages: GpuPackages;
  readonly registry: string;
  readonly outgoing: Pick<OutgoingRequests, "begin">;
  readonly restartRunner: () => void;
  readonly log: Logger;
}

interface Download {
  readonly kind: GpuKind;
  readonly total: number;
  completed: number;
  readonly abort: AbortController;
  /** Settles when nothing is done any more. */
  ended: Promise<void>;
}

const total = (packages: GpuPackages[GpuKind] = []) => packages.reduce((sum, { bytes }) => sum + bytes, 0);

/** Windows refuses it until the runner has ended that has loaded the build. */
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

export function createGpuEngine({ dataDir, packages, registry, outgoing, restartRunner, log }: GpuEngineDeps) {
  const root = gpuEngineRoot(dataDir);
  const folder = gpuEngineFolder(dataDir);
  const draft = join(root, "draft");
  const archiveOf = (name: string) => join(root, `${name}.tgz.part`);
  let download: Download | undefined;
  let problem: string | undefined;

  /** Has the runner start again without the installed build. */
  async function letGo(): Promise<void> {
    await rm(gpuEngineLabel(folder), { force: true });
    restartRunner();
  }

  async function unpack(archive: string, name: string): Promise<void> {
    const place = join(draft, "node_modules/@node-llama-cpp", name);
    await mkdir(place, { recursive: true });
    // Loaded when it is needed: few runs unpack a build.
    const { extract } = await import("tar");
    await extract({ file: archive, cwd: place, strip: 1 });
  }

  /** Unpacked elsewhere and renamed, so that a build is complete or absent. */
  async function install(kind: GpuKind, names: readonly string[]): Promise<void> {
    await rm(draft, removal);
    for (const name of names) await unpack(archiveOf(name), name);
    if (installedGpuKind(dataDir) !== undefined) await letGo();
    await rm(folder, removal);
    await renameFile(draft, folder);
    forgetGpuNote(dataDir);
    await writeFile(gpuEngineLabel(folder), kind);
    // Builds of other versions, and what they were unpacked from.
    for (const name of await readdir(root)) if (join(root, name) !== folder) await rm(join(root, name), removal);
  }

  async function run(current: Download): Promise<void> {
    const { kind, abort } = current;
    const needed = packages[kind] ?? [];
    await mkdir(root, { recursive: true });
    let before = 0;
    for (const one of needed) {
      const onProgress = (bytes: number) => (current.completed = before + bytes);
      await downloadPackage(one, { outgoing, registry, file: archiveOf(one.name), onProgress, signal: abort.signal });
      before += one.bytes;
      current.completed = before;
    }
    const names = needed.map(({ name }) => name);
    await install(kind, names);
    log.info({ kind }, "the engine's build for the GPU is installed; the runner starts again with it");
    restartRunner();
  }

  function start(kind: GpuKind): void {
    problem = undefined;
    const current: Download = {
      kind,
      total: total(packages[kind]),
      completed: 0,
      abort: new AbortController(),
      ended: Promise.resolve(),
    };
    download = current;
    current.ended = run(current)
      .catch((error: unknown) => {
        if (current.abort.signal.aborted) return;
        problem = isDiskFull(error) ? fullDiskText(error) : (error as Error).message;
        log.warn({ err: error, kind }, "the engine's build for the GPU cannot be downloaded");
      })
      .finally(() => (download = undefined));
  }

  async function stop(): Promise<void> {
    const current = download;
    current?.abort.abort();
    await current?.ended;
  }

  return {
    view(): GpuEngineView {
      const installed = installedGpuKind(dataDir);
      const note = readGpuNote(dataDir);
      const tried = note?.kind === installed ? note : undefined;
      const known = tried === undefined || tried.state === "trying" ? "starting" : tried.state;
      const { reason } = tried ?? {};
      return {
        offered: gpuKindSchema.options.flatMap((one) =>
          packages[one] === undefined ? [] : [{ kind: one, bytes: total(packages[one]) }],
        ),
        ...(installed && { installed }),
        state: installed === undefined ? "absent" : known,
        ...(reason !== undefined && { reason }),
        ...(download && { download: { kind: download.kind, completed: download.completed, total: download.total } }),
        ...(problem !== undefined && { download_problem: problem }),
      };
    },
    /** Goes on with one that is under way. @throws HttpError 404 where there is no such build, 409 while another one is under way */
    download(kind: GpuKind): void {
      if (packages[kind] === undefined) throw refuse("gpu.none", { kind });
      if (download && download.kind !== kind) throw refuse("gpu.busy");
      if (!download) start(kind);
    },
    async cancel(): Promise<void> {
      if (download === undefined) return;
      const { kind } = download;
      await stop();
      for (const { name } of packages[kind] ?? []) await rm(archiveOf(name), { force: true });
    },
    retry(): void {
      forgetGpuNote(dataDir);
      restartRunner();
    },
    async remove(): Promise<void> {
      await stop();
      problem = undefined;
      if (!existsSync(root)) return;
      await letGo();
      await rm(root, removal);
      log.info("the engine's build for the GPU is removed; the runner starts again without it");
    },
    /** Ends a download. What has arrived is kept for the next one. */
    close: stop,
  };
}
export type GpuEngineSetup = ReturnType<typeof createGpuEngine>;
