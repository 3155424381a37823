import { parse } from "node:path";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { startModelService } from "../../../test/support/model/model-service.ts";
import { startRunner } from "../../../test/support/model/runner-process.ts";
import type { Model } from "./ask.ts";

/**
 * A model behind the real model service and the real engine, until it is disposed of.
 * @param least the confidence below which the service refuses
 */
export async function openModel(file: string, least: number): Promise<Model & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const runner = opening.use(await startRunner());
  const engine = createRunnerEngine({ socketPath: runner.socketPath });
  const service = opening.use(await startModelService(engine, { starterFile: file, starterConfidence: least }));
  const opened = opening.move();
  return { url: service.url, name: parse(file).name, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
