/** Timers that serve more than the request which started them are no part of its trace. */
import { expect, it } from "vitest";
import { parseUpstream } from "../../../server/contract/process/upstream-setting.ts";
import { startIdleTime } from "../../../server/model/engine/scheduler/resident.ts";
import { defaultPoolTuning, UpstreamPool } from "../../../server/model/upstream/upstream-pool.ts";
import { createCallLog } from "../../../server/provider/payments/calls/call-log.ts";
import { currentSpan, newSpan, runInSpan, type Span } from "../../../server/trace/span.ts";

type Parameter<Callee extends (...given: never[]) => unknown> = Parameters<Callee>[0];

/** What a request starts, and the span in which its timer then works. */
async function spanOf(start: (work: () => void) => void): Promise<Span | undefined> {
  const { promise, resolve } = Promise.withResolvers<Span | undefined>();
  runInSpan(newSpan(), () => start(() => resolve(currentSpan())));
  return promise;
}

it("an idle model is unloaded outside of the span of the request that used it last", async () => {
  const resident = { keepAliveMs: 1 } as Parameter<typeof startIdleTime>;
  expect(await spanOf((work) => startIdleTime(resident, Date.now(), work))).toBeUndefined();
});

it("an upstream is checked again outside of the span of the request that named it", async () => {
  let checks = 0;
  const span = await spanOf((work) => {
    const createApi = () => ({
      list: async () => {
        if (++checks === 2) work();
        return [];
      },
    });
    const tuning = { ...defaultPoolTuning, checkEveryMs: 1 };
    const pool = new UpstreamPool(
      [parseUpstream("http://127.0.0.1:9")],
      createApi as unknown as ConstructorParameters<typeof UpstreamPool>[1],
      {
        tuning,
        onChange: () => undefined,
      },
    );
    setTimeout(() => pool.close(), 1_000).unref();
  });
  expect(span).toBeUndefined();
});

it("recorded calls are written outside of the span of the first one", async () => {
  const chain: object = new Proxy({}, { get: () => () => chain });
  const span = await spanOf((work) => {
    const writes = { prepare: () => () => undefined, write: async () => work() };
    const log = createCallLog({ db: chain, writes, now: Date.now, log: console } as unknown as Parameter<
      typeof createCallLog
    >);
    const order = { mchId: "1900000109", outTradeNo: "TIMED_1" };
    log.add({ name: "unifiedorder", at: 0, durationMs: 1, ...order, order } as unknown as Parameter<typeof log.add>);
  });
  expect(span).toBeUndefined();
});
