/** A model service whose calls are recorded by a test's application server, as in a run. */
import { createDeliverExchanges } from "../../../server/model/reporting/deliver-exchanges.ts";
import type { Engine } from "../../../server/model/engine/engine.ts";
import { recordRequests } from "../../../server/http/recording/request-recorder.ts";
import { noEngine, startModelService } from "./model-service.ts";
import { quietLog } from "../quiet-log.ts";
import { consoleToken, type TestApp } from "../app/test-app.ts";

export async function startRecordedModel(app: TestApp, engine: Engine = noEngine, maxBodyBytes = 256 * 1024) {
  const delivery = createDeliverExchanges({ appUrl: () => app.url, token: consoleToken, log: quietLog });
  const service = await startModelService(engine, {
    files: { "tiny.gguf": {} },
    record: recordRequests({
      service: "model",
      take: delivery.take,
      maxBodyBytes,
      ignore: () => false,
      now: Date.now,
      timesWrites: true,
    }),
  });
  app.addresses.model = service.url;
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await delivery.close();
    },
  };
}
