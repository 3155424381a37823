/**
 * The files of a downloaded build of the engine for a GPU in the data directory: its packages, and a note of how the runner
 * fared with it. A runner that ends while it tries the build leaves the note "trying", by which the next one knows.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { engineVersion, gpuKindSchema, type GpuKind } from "../contract/model/gpu-engine.ts";
import { readConfigFile, writeConfigFile } from "./settings/config-file.ts";

/** Everything that is downloaded. */
export const gpuEngineRoot = (dataDir: string): string => join(dataDir, "gpu-engine");

/** The folder in which the build of this version of the engine lies, with packages in `node_modules` as npm has them. */
export const gpuEngineFolder = (dataDir: string): string => join(gpuEngineRoot(dataDir), engineVersion);

/** The file that completes the build: without it, whatever lies there does not count. */
export const gpuEngineLabel = (folder: string): string => join(folder, "kind");

/** The kind of the build that is there, complete and of this version. */
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
  /** A runner has ended while it tried the build, and no model has been loaded with it since. */
  ended: z.boolean().optional(),
  reason: z.string().optional(),
});
export type GpuNote = z.infer<typeof gpuNoteSchema>;

const noteFile = (dataDir: string) => join(gpuEngineRoot(dataDir), "last-start.json");

/** Undefined before the first try, and for a note that cannot be read. */
export function readGpuNote(dataDir: string): GpuNote | undefined {
  try {
    return gpuNoteSchema.safeParse(readConfigFile(noteFile(dataDir))).data;
  } catch {
    return undefined;
  }
}

/** @throws the system's error */
export const writeGpuNote = (dataDir: string, note: GpuNote): void => writeConfigFile(noteFile(dataDir), note);

/** The next runner tries the build as if it were new. */
export const forgetGpuNote = (dataDir: string): void => rmSync(noteFile(dataDir), { force: true });
