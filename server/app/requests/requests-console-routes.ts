import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RecordedRequest, RequestService } from "../../contract/console/traffic/requests.ts";
import {
  assertRequests,
  countRequests,
  deleteRequest,
  deleteRequests,
  deliverRequests,
  exportHar,
  getRequest,
  getRequestHistogram,
  getRequestSnippet,
  getRouteCalls,
  getTraffic,
  listRequests,
  replayRequest,
  sendRequest,
  streamRecording,
  waitForRequests,
} from "../../contract/console/traffic/request-endpoints.ts";
import { sortParts } from "../../contract/sort.ts";
import { attachAs } from "../../http/conventions/attachment.ts";
import type { EventStreams } from "../../http/connection/bodies/event-streams.ts";
import { refuse } from "../../http/http-error.ts";
import { leftOf } from "../../http/connection/bodies/left-of.ts";
import { askerOf, isTrusted } from "../../http/outgoing/asker.ts";
import { route, type Route } from "../../http/route.ts";
import { writeHar } from "./har.ts";
import { headerOf, recordedRequest, recordedSummary } from "./recorded-request.ts";
import type { Recorder } from "./recorder.ts";
import type { Recording } from "./recording.ts";
import type { createReplay } from "./replay.ts";
import { snippetOf } from "./snippets.ts";
import { sourceOfError } from "./source-of-error.ts";
import { createRecordingStreams } from "./stream-recording.ts";
import { createRequestWatch, type RequestWatch } from "./watch-requests.ts";

interface Deps {
  readonly recording: Recording;
  readonly replay: Replay;
  readonly streams: EventStreams;
  readonly baseUrl: BaseUrl;
  readonly patternDeadlineMs: number;
  readonly version: string;
}

type Replay = ReturnType<typeof createReplay>;
/** Base URL of a service for clients; undefined while it is down. */
type BaseUrl = (service: RequestService) => string | undefined;

/** The console's operations on recorded requests. */
export function requestsConsoleRoutes(deps: Deps): Route[] {
  const { recording, replay, streams, baseUrl, patternDeadlineMs, version } = deps;
  const { store, recorder } = recording;
  const watch = createRequestWatch({ store, recorder, patternDeadlineMs });
  return [
    ...searchRoutes(recording, watch),
    exportRoute(recording, watch, baseUrl, version),
    ...trafficRoutes(recorder, streams),
    ...oneRequestRoutes(recording, replay, baseUrl),
    route(deleteRequest, async ({ params: { id } }) => {
      if (!(await recorder.delete(id))) throw refuse("request.none", { id });
    }),
    route(deleteRequests, async () => void (await recorder.clear())),
  ];
}

const searchRoutes = (recording: Recording, watch: RequestWatch): Route[] => [
  route(listRequests, async ({ query: { limit, sort, offset = 0, ...filter } }) => {
    const found = await watch.find(filter, limit + 1, sort && { ...sortParts(sort), offset });
    const { total, dropped } = recording.recorder.state();
    const requests = found.slice(0, limit).map(recordedSummary);
    return { data: { requests, total, has_more: found.length > limit, dropped } };
  }),

  route(deliverRequests, ({ body }) => recording.deliver(body)),

  route(countRequests, async ({ query }) => ({ data: { count: await watch.count(query) } })),

  route(getRequestHistogram, async ({ query: { bars, ...filter } }) => ({ data: await watch.histogram(filter, bars) })),

  route(waitForRequests, async ({ query: { count, timeout_ms, ...filter } }, { res }) => {
    const found = await watch.wait(filter, count, timeout_ms, leftOf(res));
    return { data: { requests: found.map(recordedSummary) } };
  }),

  route(assertRequests, async ({ body }, { res }) => {
    const { count, requests } = await watch.assert(body, leftOf(res));
    return { data: { count, requests: requests.map(recordedSummary) } };
  }),
];

/** The address of a service that is down is the one that the request went to. */
const baseUrlOf = ({ service, request: { headers } }: RecordedRequest, baseUrl: BaseUrl) =>
  baseUrl(service) ?? `http://${headerOf(headers, "host") ?? "localhost"}`;

function exportRoute({ store }: Recording, watch: RequestWatch, baseUrl: BaseUrl, version: string): Route {
  function* read(ids: readonly number[]): Generator<RecordedRequest> {
    for (const id of ids) {
      const row = store.get(id);
      if (row) yield recordedRequest(row);
    }
  }
  return route(exportHar, async ({ query: { limit, ...filter } }, { req, res }) => {
    const found = await watch.find(filter, limit);
    attachAs(res, "hearth.har");
    res.setHeader("Content-Type", "application/json; charset=utf-8");
    const pieces = writeHar(read(found.map(({ id }) => id)), (recorded) => baseUrlOf(recorded, baseUrl), version);
    if (req.method === "HEAD") res.end();
    else
      await pipeline(Readable.from(pieces), res).catch((error: unknown) => {
        if (!res.closed) throw error; // the client has left
      });
    return { sent: true };
  });
}

function trafficRoutes(recorder: Recorder, streams: EventStreams): Route[] {
  const streamState = createRecordingStreams(streams, recorder);
  return [
    route(getTraffic, () => ({ data: recorder.traffic() })),
    route(getRouteCalls, () => ({ data: recorder.routeCalls() })),
    route(streamRecording, (_input, { req, res }) => {
      streamState(req, res);
      return { sent: true };
    }),
  ];
}

function oneRequestRoutes({ recorder, store }: Recording, replay: Replay, baseUrl: BaseUrl): Route[] {
  /** @throws HttpError 404 */
  async function find(id: number): Promise<RecordedRequest> {
    await recorder.flush();
    const row = store.get(id);
    if (!row) throw refuse("request.none", { id });
    return recordedRequest(row);
  }
  const sent = async (id: number) => ({
    data: await find(id),
    headers: { Location: `/console/api/requests/${String(id)}` },
  });
  return [
    route(getRequest, async ({ params: { id } }) => {
      const recorded = await find(id);
      const { stack } = recorded.error ?? {};
      const error_source = stack === undefined ? undefined : await sourceOfError(stack);
      return { data: { ...recorded, error_source } };
    }),

    route(getRequestSnippet, async ({ params: { id, format } }, { res }) => {
      const recorded = await find(id);
      const text = snippetOf(format, recorded, baseUrlOf(recorded, baseUrl));
      res.setHeader("Content-Type", "text/plain; charset=utf-8");
      res.end(text);
      return { sent: true };
    }),

    route(replayRequest, async ({ params: { id }, body }, { req, res }) => {
      const left = leftOf(res);
      return sent(await replay.again(await find(id), body, askerOf(req, isTrusted), left));
    }),

    route(sendRequest, async ({ body }, { req, res }) =>
      sent(await replay.anew(body, askerOf(req, isTrusted), leftOf(res))),
    ),
  ];
}
