/** The provider simulator on its own thread; start-thread.ts starts it. */
import { parentPort, workerData } from "node:worker_threads";
import { recordExchanges } from "../http/recording/record-exchanges.ts";
import type { CapturedBody, Exchange } from "../http/recording/request-recorder.ts";
import { PortInUseError } from "../http/connection/listen.ts";
import { createAdjustableClock } from "../time/adjustable-clock.ts";
import { onFaultHit } from "../trace/fault-hits.ts";
import { currentSpan } from "../trace/span.ts";
import { createLog } from "../process/log.ts";
import { openProvider } from "./open-provider.ts";
import type { FromThread, ThreadStart, ToThread } from "./thread-messages.ts";

const { settings, consoleToken, apiDocs, offsetMs } = workerData as ThreadStart;
const report = (message: FromThread) => parentPort?.postMessage(message);

const clock = createAdjustableClock();
clock.offsetMs = offsetMs;

/** A small buffer may be a view of a large one, and would transfer all of it. */
const alone = (body: CapturedBody): CapturedBody => ({
  ...body,
  chunks: body.chunks.map((chunk) => (typeof chunk === "string" ? chunk : (new Uint8Array(chunk) as Buffer))),
});

/** An error without the properties that cannot be transferred to another thread. */
const plainError = ({ message, stack }: Error) => Object.assign(new Error(message), { stack });

function reportCall(exchange: Exchange): void {
  const { refusal } = exchange.notes;
  report({
    type: "call",
    exchange: {
      ...exchange,
      requestBody: alone(exchange.requestBody),
      responseBody: alone(exchange.responseBody),
      notes: {
        ...exchange.notes,
        ...(refusal && {
          refusal: {
            status: refusal.status,
            code: refusal.code,
            message: refusal.message,
            ...(refusal.cause instanceof Error && { cause: plainError(refusal.cause) }),
          },
        }),
      },
    },
  });
}

// Sent before the faulty answer, so that the caller knows the fault when it gets that.
onFaultHit((mark, span) => report({ type: "fault", mark, span }));

let isDraining = false;
try {
  const provider = await openProvider({
    settings,
    consoleToken,
    apiDocs,
    log: createLog("provider", settings),
    clock,
    record: recordExchanges("provider", { settings, take: reportCall, now: clock.now }),
    isDraining: () => isDraining,
    publish: (event) => report({ type: "event", event, span: currentSpan() }),
    onCredentials: (credentials) => report({ type: "credentials", credentials }),
  });
  parentPort?.on("message", (message: ToThread) => {
    if (message.type === "clock") clock.offsetMs = message.offsetMs;
    else if (message.type === "ping") report({ type: "pong", problem: provider.findProblem() });
    else if (message.type === "buyers") provider.leadBuyersTo(message.url);
    else if (message.type === "drain") isDraining = true;
    else void provider.close(message.graceMs).finally(() => parentPort?.close());
  });
  const { url, credentials, payments } = provider;
  const known = { url: payments.url, credentials: payments.credentials };
  report({ type: "ready", introduction: { url, credentials, payments: known } });
} catch (error) {
  if (error instanceof PortInUseError) report({ type: "port in use", port: error.port });
  else report({ type: "failed", error: plainError(error as Error), code: (error as NodeJS.ErrnoException).code });
  parentPort?.close();
}
