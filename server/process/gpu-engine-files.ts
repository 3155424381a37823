/**
 * The files of a downloaded GPU build of the engine in the data directory: its packages, and a note of the runner's
 * results. A runner that ends while it tries the build leaves the note "trying" for the next one.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { engineVersion, gpuKindSchema, type GpuKind } from "../contract/model/gpu-engine.ts";
import { readConfigFile, writeConfigFile } from "./settings/config-file.ts";

/** Everything that is downloaded. */
export const gpuEngineRoot = (dataDir: string): string => join(dataDir, "gpu-engine");

/** The folder of the build for this version of the engine, with packages in `node_modules`. */
export const gpuEngineFolder = (dataDir: string): string => join(gpuEngineRoot(dataDir), engineVersion);

/** The file that marks the build as complete. */
export const gpuEngineLabel = (folder: string): string => join(folder, "kind");

/** The kind of the installed build, if it is complete and of this version. */
export function installedGpuKind(dataDir: string): GpuKind | undefined {
  try {
    return gpuKindSchema.safeParse(readFileSync(gpuEngineLabel(gpuEngineFolder(dataDir)), "utf8")).data;
  } catch {
    return undefined;
  }
}

const gpuNoteSchema = z.object({
  kind: gpuKindSchema,
  /**
   * `used`: models run on the GPU. `failed`: it could not be loaded. `crashed`: it ended the runner twice in a row, and is
   * not tried again.
   */
  state: z.enum(["trying", "used", "failed", "crashed"]),
  /** A runner has ended while it tried the build, and no model has been loaded since. */
  ended: z.boolean().optional(),
  reason: z.string().optional(),
});
export type GpuNote = z.infer<typeof gpuNoteSchema>;

const noteFile = (dataDir: string) => join(gpuEngineRoot(dataDir), "last-start.json");

/** Undefined before the first try, and for an unreadable note. */
export function readGpuNote(dataDir: string): GpuNote | undefined {
  try {
    return gpuNoteSchema.safeParse(readConfigFile(noteFile(dataDir))).data;
  } catch {
    return undefined;
  }
}

/** @throws the system's error */
export const writeGpuNote = (dataDir: string, note: GpuNote): void => writeConfigFile(noteFile(dataDir), note);

/** Makes the next runner try the build like a new one. */
export const forgetGpuNote = (dataDir: string): void => rmSync(noteFile(dataDir), { force: true });
