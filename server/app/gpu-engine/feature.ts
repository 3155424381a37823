import { gpuPackagesFor } from "../../contract/model/gpu-engine.ts";
import { createOutgoingRequests } from "../../http/outgoing/outgoing-requests.ts";
import { createTargets } from "../../http/outgoing/targets.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { GpuEngineSetup } from "./gpu-engine.ts";
import { gpuEngineConsoleRoutes } from "./gpu-engine-console-routes.ts";

interface Ports {
  readonly requestRestart: (request: { type: "restart"; service: "runner" }) => void;
}

/** The engine's builds for GPUs of this system. */
export const gpuEngineFeature: Feature<EventKernel<object>, Ports, undefined> = {
  name: "gpu-engine",
  consoleTags: { "gpu-engine": "GPU builds of the engine: download, retry and remove them." },
  open({ settings, log, atClose }, { requestRestart }) {
    const targets = createTargets(settings.allowed_targets);
    const outgoing = createOutgoingRequests({ targets, agent: { proxyEnv: process.env, isForeign: true } });
    const engine = new GpuEngineSetup({
      dataDir: settings.data_dir,
      packages: gpuPackagesFor(process.platform, process.arch),
      registry: settings.gpu_engine_registry,
      outgoing,
      restartRunner: () => requestRestart({ type: "restart", service: "runner" }),
      log,
    });
    atClose(() => engine.close().finally(() => outgoing.destroy()));
    return { consoleRoutes: gpuEngineConsoleRoutes(engine), port: undefined };
  },
};
