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
  /** Settles when the download has ended, in success or failure. */
  ended: Promise<void>;
}

const total = (packages: GpuPackages[GpuKind] = []) => packages.reduce((sum, { bytes }) => sum + bytes, 0);

/** Windows refuses a removal until the runner that has loaded the build has ended. */
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

/**
 * The engine's build for the GPU in the data directory. One build at a time is downloaded and installed.
 * Absent → `download` → installed, or absent with a problem. Installed → the runner tries it: `starting`, then the state of
 * its note; `retry` has it tried again. Any state → `remove` → absent.
 */
export class GpuEngineSetup {
  readonly #deps: GpuEngineDeps;
  readonly #root: string;
  readonly #folder: string;
  readonly #draft: string;
  #download: Download | undefined;
  #problem: string | undefined;

  constructor(deps: GpuEngineDeps) {
    this.#deps = deps;
    const { dataDir } = deps;
    this.#root = gpuEngineRoot(dataDir);
    this.#folder = gpuEngineFolder(dataDir);
    this.#draft = join(this.#root, "draft");
  }

  view(): GpuEngineView {
    const { dataDir, packages } = this.#deps;
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
      ...(this.#download && {
        download: { kind: this.#download.kind, completed: this.#download.completed, total: this.#download.total },
      }),
      ...(this.#problem !== undefined && { download_problem: this.#problem }),
    };
  }

  /** Does nothing while this build is being downloaded. @throws HttpError 404 for no such build, 409 while another one is downloaded */
  download(kind: GpuKind): void {
    if (this.#deps.packages[kind] === undefined) throw refuse("gpu.none", { kind });
    if (this.#download && this.#download.kind !== kind) throw refuse("gpu.busy");
    if (!this.#download) this.#start(kind);
  }

  async cancel(): Promise<void> {
    if (this.#download === undefined) return;
    const { kind } = this.#download;
    await this.close();
    for (const { name } of this.#deps.packages[kind] ?? []) await rm(this.#archiveOf(name), { force: true });
  }

  retry(): void {
    const { dataDir, restartRunner } = this.#deps;
    forgetGpuNote(dataDir);
    restartRunner();
  }

  async remove(): Promise<void> {
    await this.close();
    this.#problem = undefined;
    if (!existsSync(this.#root)) return;
    await this.#release();
    await rm(this.#root, removal);
    this.#deps.log.info("removed the engine's GPU build; the runner restarts without it");
  }

  /** Ends a download. The bytes that have arrived are kept for the next one. */
  async close(): Promise<void> {
    const current = this.#download;
    current?.abort.abort();
    await current?.ended;
  }

  #archiveOf(name: string): string {
    return join(this.#root, `${name}.tgz.part`);
  }

  /** Has the runner start again without the installed build. */
  async #release(): Promise<void> {
    await rm(gpuEngineLabel(this.#folder), { force: true });
    this.#deps.restartRunner();
  }

  async #unpack(archive: string, name: string): Promise<void> {
    const place = join(this.#draft, "node_modules/@node-llama-cpp", name);
    await mkdir(place, { recursive: true });
    // Loaded when it is needed: few runs unpack a build.
    const { extract } = await import("tar");
    await extract({ file: archive, cwd: place, strip: 1 });
  }

  /** Unpacks the build elsewhere and renames it, so that a build is complete or absent. */
  async #install(kind: GpuKind, names: readonly string[]): Promise<void> {
    const { dataDir } = this.#deps;
    await rm(this.#draft, removal);
    for (const name of names) await this.#unpack(this.#archiveOf(name), name);
    if (installedGpuKind(dataDir) !== undefined) await this.#release();
    await rm(this.#folder, removal);
    await renameFile(this.#draft, this.#folder);
    forgetGpuNote(dataDir);
    await writeFile(gpuEngineLabel(this.#folder), kind);
    // Builds of other versions, and their archives.
    for (const name of await readdir(this.#root))
      if (join(this.#root, name) !== this.#folder) await rm(join(this.#root, name), removal);
  }

  async #run(current: Download): Promise<void> {
    const { packages, outgoing, registry, log, restartRunner } = this.#deps;
    const { kind, abort } = current;
    const needed = packages[kind] ?? [];
    await mkdir(this.#root, { recursive: true });
    let before = 0;
    for (const one of needed) {
      const onProgress = (bytes: number) => (current.completed = before + bytes);
      const file = this.#archiveOf(one.name);
      await downloadPackage(one, { outgoing, registry, file, onProgress, signal: abort.signal });
      before += one.bytes;
      current.completed = before;
    }
    const names = needed.map(({ name }) => name);
    await this.#install(kind, names);
    log.info({ kind }, "installed the engine's GPU build; the runner restarts with it");
    restartRunner();
  }

  #start(kind: GpuKind): void {
    const { packages, log } = this.#deps;
    this.#problem = undefined;
    const current: Download = {
      kind,
      total: total(packages[kind]),
      completed: 0,
      abort: new AbortController(),
      ended: Promise.resolve(),
    };
    this.#download = current;
    current.ended = this.#run(current)
      .catch((error: unknown) => {
        if (current.abort.signal.aborted) return;
        this.#problem = isDiskFull(error) ? fullDiskText(error) : (error as Error).message;
        log.warn({ err: error, kind }, "the engine's GPU build cannot be downloaded");
      })
      .finally(() => (this.#download = undefined));
  }
}
