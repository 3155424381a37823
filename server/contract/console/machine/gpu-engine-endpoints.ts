/** The console's operations on the engine's builds for GPUs. They need the console's token, or its cookie. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { gpuKindSchema } from "../../model/gpu-engine.ts";

const bytes = z.number().int().nonnegative();

export const gpuEngineSchema = z
  .object({
    offered: z
      .array(z.object({ kind: gpuKindSchema, bytes: bytes.describe("How much is downloaded.") }))
      .describe("The builds for this system; none where the engine has none, or has its GPU's already, as on a Mac."),
    installed: gpuKindSchema.optional(),
    state: z
      .enum(["absent", "starting", "used", "failed", "crashed"])
      .describe(
        "State of the installed build after the runner loaded it: with `failed` and `crashed` models run on the CPU. A build that crashed is not tried again by itself.",
      ),
    reason: z.string().optional().describe("Why it is not used."),
    download: z
      .object({ kind: gpuKindSchema, completed: bytes, total: bytes })
      .optional()
      .describe("The download that is under way."),
    download_problem: z.string().optional().describe("Why the last download failed; what had arrived is kept."),
  })
  .meta({ title: "GpuEngine" });
export type GpuEngineView = z.infer<typeof gpuEngineSchema>;

const base = { tag: "gpu-engine", access: "console", path: "/console/api/gpu-engine" } as const;

/** Answers which builds of the engine for GPUs there are, which one is installed, and whether it is used. */
export const getGpuEngine = endpoint({
  ...base,
  id: "getGpuEngine",
  method: "GET",
  status: 200,
  data: gpuEngineSchema,
});

/**
 * Downloads a build, compares it with its known SHA-512, puts it in the place of another one, and restarts the runner with
 * it. The download goes on behind the answer, from where an earlier one was broken off.
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

/** Ends the download that is under way, and removes what has arrived of it. */
export const cancelGpuEngineDownload = endpoint({
  ...base,
  id: "cancelGpuEngineDownload",
  method: "DELETE",
  path: "/console/api/gpu-engine/download",
  status: 204,
});

/** Restarts the runner, which tries the installed build again. */
export const retryGpuEngine = endpoint({
  ...base,
  id: "retryGpuEngine",
  method: "POST",
  path: "/console/api/gpu-engine/tries",
  status: 202,
});

/** Removes the installed build, and whatever was downloaded, and restarts the runner without it. */
export const removeGpuEngine = endpoint({
  ...base,
  id: "removeGpuEngine",
  method: "DELETE",
  status: 204,
});
