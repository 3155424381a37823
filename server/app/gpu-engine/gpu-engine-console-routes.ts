import {
  cancelGpuEngineDownload,
  downloadGpuEngine,
  getGpuEngine,
  removeGpuEngine,
  retryGpuEngine,
} from "../../contract/console/machine/gpu-engine-endpoints.ts";
import { route, type Route } from "../../http/route.ts";
import type { GpuEngineSetup } from "./gpu-engine.ts";

/** The engine's builds for GPUs. */
export const gpuEngineConsoleRoutes = (engine: GpuEngineSetup): Route[] => [
  route(getGpuEngine, () => ({ data: engine.view() })),
  route(downloadGpuEngine, ({ body: { kind } }) => engine.download(kind)),
  route(cancelGpuEngineDownload, async () => engine.cancel()),
  route(retryGpuEngine, () => engine.retry()),
  route(removeGpuEngine, async () => engine.remove()),
];
