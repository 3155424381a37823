/** Lets the engine read a model's header and plan its tensors, without its weights. */
import { EngineLog } from "./engine-log.ts";

async function startQuietly(log: EngineLog) {
  const binding = await import("node-llama-cpp");
  const llama = await binding.getLlama({
    gpu: "auto",
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: binding.LlamaLogLevel.error,
    logger: (level, message) => log.write(level, message),
  });
  return { ...binding, llama };
}

/**
 * The engine's reason why it would not load the file; undefined for a model that it would load, and without an engine.
 * A bad file may end the process. @throws Error with a reason of node-llama-cpp's own
 */
export async function tryHeader(file: string): Promise<string | undefined> {
  const log = new EngineLog({ debug: () => undefined });
  const started = await startQuietly(log).catch(() => undefined);
  if (started === undefined) return undefined;
  const { llama, GgufInsights, readGgufFileInfo } = started;
  log.begin();
  const info = await readGgufFileInfo(file, { sourceType: "filesystem", logWarnings: false });
  const insights = await GgufInsights.from(info, llama);
  await insights.estimateModelResourceRequirementsV2({ gpuLayers: 0, useMmap: false });
  const reason = await log.reason();
  await llama.dispose();
  return reason;
}
