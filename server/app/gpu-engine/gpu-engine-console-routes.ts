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
  route(downloadGpuEngine, ({ body: { kind } }) => {
    engine.download(kind);
    return {};
  }),
  route(cancelGpuEngineDownload, async () => {
    await engine.cancel();
    return {};
  }),
  route(retryGpuEngine, () => {
    engine.retry();
    return {};
  }),
  route(removeGpuEngine, async () => {
    await engine.remove();
    return {};
  }),
];
