import type { Logger } from "pino";
import { gpuPackagesFor } from "../../contract/model/gpu-engine.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { createOutgoingRequests } from "../../http/outgoing/outgoing-requests.ts";
import { createTargets } from "../../http/outgoing/targets.ts";
import type { Route } from "../../http/route.ts";
import { createGpuEngine } from "./gpu-engine.ts";
import { gpuEngineConsoleRoutes } from "./gpu-engine-console-routes.ts";

interface Deps {
  readonly settings: Pick<Settings, "data_dir" | "gpu_engine_registry" | "allowed_targets">;
  readonly requestRestart: (request: { type: "restart"; service: "runner" }) => void;
  readonly log: Logger;
  readonly atClose: (close: () => Promise<void>) => void;
}

/** The console's operations on the builds for this system. */
export function openGpuEngine({ settings, requestRestart, log, atClose }: Deps): Route[] {
  const targets = createTargets(settings.allowed_targets);
  const outgoing = createOutgoingRequests({ targets, agent: { proxyEnv: process.env } });
  const engine = createGpuEngine({
    dataDir: settings.data_dir,
    packages: gpuPackagesFor(process.platform, process.arch),
    registry: settings.gpu_engine_registry,
    outgoing,
    restartRunner: () => requestRestart({ type: "restart", service: "runner" }),
    log,
  });
  atClose(() => engine.close().finally(() => outgoing.destroy()));
  return gpuEngineConsoleRoutes(engine);
}
