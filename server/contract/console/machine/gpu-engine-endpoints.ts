/** The console's operations on the engine's builds for GPUs. They need the console's token, or its cookie. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { gpuKindSchema } from "../../model/gpu-engine.ts";

const bytes = z.number().int().nonnegative();

export const gpuEngineSchema = z
  .object({
    offered: z
      .array(z.object({ kind: gpuKindSchema, bytes: bytes.describe("Size of the download, in bytes.") }))
      .describe("GPU builds for this system. Empty if there is none or the engine already includes it, as on a Mac."),
    installed: gpuKindSchema.optional(),
    state: z
      .enum(["absent", "starting", "used", "failed", "crashed"])
      .describe(
        "State of the installed build in the runner. With `failed` and `crashed`, models run on the CPU. A crashed build is not retried automatically.",
      ),
    reason: z.string().optional().describe("Reason why the build is not used."),
    download: z
      .object({ kind: gpuKindSchema, completed: bytes, total: bytes })
      .optional()
      .describe("Running download."),
    download_problem: z.string().optional().describe("Reason why the last download failed. The partial file is kept."),
  })
  .meta({ title: "GpuEngine" });
export type GpuEngineView = z.infer<typeof gpuEngineSchema>;

const base = { tag: "gpu-engine", access: "console", path: "/console/api/gpu-engine" } as const;

/** Returns the engine's GPU builds, which one is installed, and whether it is in use. */
export const getGpuEngine = endpoint({
  ...base,
  id: "getGpuEngine",
  method: "GET",
  status: 200,
  data: gpuEngineSchema,
});

/**
 * Downloads and installs a GPU build. Hearth checks its SHA-512, replaces the previous build and restarts the runner.
 * The download continues after the answer and resumes where an earlier one stopped.
 */
export const downloadGpuEngine = endpoint({
  ...base,
  id: "downloadGpuEngine",
  method: "POST",
  path: "/console/api/gpu-engine/download",
  status: 202,
  body: z.object({ kind: gpuKindSchema }),
  errors: [404, 409],
});

/** Cancels the current download and deletes the partial file. */
export const cancelGpuEngineDownload = endpoint({
  ...base,
  id: "cancelGpuEngineDownload",
  method: "DELETE",
  path: "/console/api/gpu-engine/download",
  status: 204,
});

/** Restarts the runner to try the installed GPU build again. */
export const retryGpuEngine = endpoint({
  ...base,
  id: "retryGpuEngine",
  method: "POST",
  path: "/console/api/gpu-engine/tries",
  status: 202,
});

/** Removes the installed GPU build and all downloads, and restarts the runner without it. */
export const removeGpuEngine = endpoint({
  ...base,
  id: "removeGpuEngine",
  method: "DELETE",
  status: 204,
});
