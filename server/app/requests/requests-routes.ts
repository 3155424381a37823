import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import type { RecordedRequest } from "../../contract/requests.ts";
import {
  assertRequests,
  countRequests,
  deleteRequest,
  deleteRequests,
  exportHar,
  getRequest,
  getRequestSnippet,
  listRequests,
  replayRequest,
  streamRecording,
  waitForRequests,
} from "../../contract/request-endpoints.ts";
import { notFound } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import type { RequestStore } from "../../store/request-store.ts";
import { writeHar } from "./har.ts";
import { recordedRequest, recordedSummary } from "./recorded-request.ts";
import type { Recorder } from "./recorder.ts";
import type { createReplay } from "./replay.ts";
import { snippetOf } from "./snippets.ts";
import { streamRecordingState } from "./stream-recording.ts";
import { createRequestWatch } from "./watch-requests.ts";

interface Deps {
  readonly store: RequestStore;
  readonly recorder: Recorder;
  readonly replay: ReturnType<typeof createReplay>;
  /** Base URL of this server, as clients use it. */
  readonly baseUrl: () => string;
  readonly version: string;
}

/** Aborted when the client has left before it got its answer. */
function leftOf(res: Response): AbortSignal {
  const left = new AbortController();
  res.once("close", () => left.abort());
  return left.signal;
}

export function requestsRoutes({ store, recorder, replay, baseUrl, version }: Deps): Route[] {
  const watch = createRequestWatch({ store, recorder });

  /** @throws HttpError 404 */
  function find(id: number): RecordedRequest {
    recorder.flush();
    const row = store.get(id);
    if (!row) throw notFound(`There is no recorded request ${String(id)}.`);
    return recordedRequest(row);
  }

  function* read(ids: readonly number[]): Generator<RecordedRequest> {
    for (const id of ids) {
      const row = store.get(id);
      if (row) yield recordedRequest(row);
    }
  }

  return [
    route(listRequests, async ({ query }) => {
      const { limit, ...filter } = query;
      const found = await watch.find(filter, limit + 1);
      const { total, dropped } = recorder.state();
      const requests = found.slice(0, limit).map(recordedSummary);
      return { data: { requests, total, has_more: found.length > limit, dropped } };
    }),

    route(countRequests, async ({ query }) => ({ data: { count: await watch.count(query) } })),

    route(waitForRequests, async ({ query }, { res }) => {
      const { count, timeout_ms, ...filter } = query;
      const found = await watch.wait(filter, count, timeout_ms, leftOf(res));
      return { data: { requests: found.map(recordedSummary) } };
    }),

    route(assertRequests, async ({ body }, { res }) => {
      const { count, requests } = await watch.assert(body, leftOf(res));
      return { data: { count, requests: requests.map(recordedSummary) } };
    }),

    route(exportHar, async ({ query }, { req, res }) => {
      const { limit, ...filter } = query;
      const found = await watch.find(filter, limit);
      res.attachment("hearth.har").setHeader("Content-Type", "application/json; charset=utf-8");
      if (req.method === "HEAD") {
        res.end();
        return { sent: true };
      }
      const pieces = writeHar(read(found.map(({ id }) => id)), baseUrl(), version);
      await pipeline(Readable.from(pieces), res).catch((error: unknown) => {
        if (!res.closed) throw error; // a client that has had enough is no failure
      });
      return { sent: true };
    }),

    route(streamRecording, (_input, { req, res }) => {
      streamRecordingState(req, res, recorder);
      return { sent: true };
    }),

    route(getRequest, ({ params: { id } }) => ({ data: find(id) })),

    route(getRequestSnippet, ({ params: { id, format } }, { req, res }) => {
      const text = snippetOf(format, find(id), baseUrl());
      res.setHeader("Content-Type", "text/plain; charset=utf-8");
      res.end(req.method === "HEAD" ? undefined : text);
      return { sent: true };
    }),

    route(replayRequest, async ({ params: { id }, body }, { res }) => {
      const replayed = await replay(find(id), body, leftOf(res));
      return { data: find(replayed), headers: { Location: `/console/api/requests/${String(replayed)}` } };
    }),

    route(deleteRequest, ({ params: { id } }) => {
      if (!recorder.delete(id)) throw notFound(`There is no recorded request ${String(id)}.`);
      return {};
    }),

    route(deleteRequests, async () => {
      await recorder.clear();
      return {};
    }),
  ];
}
