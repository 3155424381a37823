import { z } from "zod";
import { listEvents, streamStoredEvents } from "../../contract/console/traffic/event-endpoints.ts";
import { cloudEventSchema, type CloudEvent } from "../../contract/console/traffic/stored-event.ts";
import type { EventName } from "../../contract/console/traffic/events.ts";
import { listRequests, waitForRequests } from "../../contract/console/traffic/request-endpoints.ts";
import { recordedSummarySchema } from "../../contract/console/traffic/requests.ts";
import { argument, onOff, value } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { ActionError, waitedInVain } from "../action-error.ts";
import { duration } from "../duration.ts";
import type { HearthApi } from "../hearth-api.ts";
import { printRequests } from "../requests/request-text.ts";
import { printEvents } from "./event-text.ts";
import { eventType } from "./events.ts";

const longestMs = 300_000;
const httpNotFound = 404;

interface WaitOptions {
  readonly timeoutMs: number;
  /** Ignores what has happened already. */
  readonly isNew: boolean;
  readonly signal: AbortSignal;
}

/** @throws ActionError with code 3 when the time is over */
async function waitForRequest(hearth: HearthApi, pattern: string, { timeoutMs, isNew, signal }: WaitOptions) {
  const [method, path] = pattern.includes(" ") ? pattern.split(/ +/, 2) : [undefined, pattern];
  const newest = isNew ? await hearth.call(listRequests, { query: { limit: "1" }, signal }) : undefined;
  const query = { method, path, timeout_ms: timeoutMs, ...(newest && { after: newest.requests[0]?.id ?? 0 }) };
  try {
    const { requests } = await hearth.call(waitForRequests, { query, signal });
    return requests[0];
  } catch (error) {
    if (!(error instanceof ActionError && error.status === httpNotFound)) throw error;
    throw new ActionError(error.message, { exitCode: waitedInVain });
  }
}

async function waitForEvent(hearth: HearthApi, type: EventName, options: WaitOptions): Promise<CloudEvent> {
  const { timeoutMs, isNew, signal } = options;
  const over = AbortSignal.timeout(timeoutMs);
  const [newest] = (await hearth.call(listEvents, { query: { limit: "1" }, signal })).events;
  const [earlier] = isNew ? [] : (await hearth.call(listEvents, { query: { limit: "1", type }, signal })).events;
  if (earlier) return earlier;
  const stream = { signal: AbortSignal.any([over, signal]), lastEventId: newest?.id };
  for await (const { name, data } of hearth.stream(streamStoredEvents, stream)) {
    const event = name === "event" ? cloudEventSchema.parse(data) : undefined;
    if (event?.type === type) return event;
  }
  signal.throwIfAborted();
  throw new ActionError(`No event ${type} within ${String(timeoutMs)} ms.`, { exitCode: waitedInVain });
}

export const wait = action({
  name: "wait",
  group: "Traffic",
  summary: "wait for a request or an event; exit code 3 after the timeout",
  input: z
    .object({
      pattern: argument(
        "PATTERN",
        "a path, such as /api/orders or 'POST /api/orders/*', or a type of event, such as payment.settled",
        "wait needs a path or a type of event, such as payment.settled",
      ),
      timeout: value(duration.default(10_000), "TIME", "timeout; default: 10s"),
      new: onOff("ignore earlier requests and events"),
    })
    .describe("Ends at once if the request or the event has already been recorded; --new waits for the next one."),
  output: z.object({ request: recordedSummarySchema.optional(), event: cloudEventSchema.optional() }),
  effect: "reads",
  async run(hearth, { pattern, timeout, new: isNew = false }, signal) {
    const options = { timeoutMs: Math.min(timeout, longestMs), isNew, signal };
    if (pattern.includes("/")) return { request: await waitForRequest(hearth, pattern, options) };
    const { data: type } = eventType.safeParse(pattern);
    if (type === undefined)
      throw new ActionError(`${pattern} is neither a path nor a type of event: ${eventType.options.join(", ")}.`, {
        exitCode: 2,
      });
    return { event: await waitForEvent(hearth, type, options) };
  },
  print: ({ request, event }) => (request ? printRequests([request]) : printEvents(event ? [event] : [])),
});
