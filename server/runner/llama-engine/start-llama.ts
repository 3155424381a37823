/** Starts node-llama-cpp: on the GPU where there is a build for it that works, else on the CPU. */
import type { getLlama, Llama, LlamaLogLevel } from "node-llama-cpp";
import { enginePackage } from "../../contract/model/gpu-engine.ts";
import { missingEngine } from "../../contract/model/missing-engine.ts";
import { toAdd } from "../../process/installation/optional-packages.ts";
import type { GpuEngine } from "../gpu-engine.ts";
import type { EngineLog } from "./engine-log.ts";

/** The module, which is imported only when it is needed. */
interface Binding {
  readonly getLlama: typeof getLlama;
  readonly LlamaLogLevel: typeof LlamaLogLevel;
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** @throws Error where not even the CPU's build can be loaded, or there is none */
export async function startLlama(binding: Binding, gpuEngine: GpuEngine, log: EngineLog): Promise<Llama> {
  if (!isInstalled(enginePackage(process.platform, process.arch)))
    throw new Error(missingEngine(toAdd["node-llama-cpp"]));
  const options = {
    build: "never",
    skipDownload: true,
    progressLogs: false,
    // No global limit: each context gets an explicit number of threads.
    maxThreads: 0,
    logLevel: binding.LlamaLogLevel.warn,
    logger: (level: string, message: string) => log.write(level, message),
  } as const;
  const kind = gpuEngine.kind();
  if (kind === undefined) return binding.getLlama({ ...options, gpu: "auto" });
  try {
    return await gpuEngine.guard("start", async () => {
      const llama = await binding.getLlama({ ...options, gpu: kind });
      if (llama.gpu === kind && (await llama.getGpuDeviceNames()).length > 0) return llama;
      await llama.dispose();
      throw new Error(`it finds no GPU for ${kind}`);
    });
  } catch (error) {
    gpuEngine.fail((error as Error).message);
    return binding.getLlama({ ...options, gpu: { type: "auto", exclude: [kind] } });
  }
}
