/** Traces that leave by OTLP/HTTP, seen by a small collector. */
import { json } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listen } from "../../support/process/listen.ts";
import { startTestApp } from "../../support/app/test-app.ts";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: unknown;
    readonly scopeSpans: readonly { readonly spans: readonly Record<string, unknown>[] }[];
  }[];
}

it("the span of a request reaches the collector, in the client's trace, by its route and without its path and query", async () => {
  const messages: { path: string; body: Sent }[] = [];
  await using collector = await listen((req, res) => {
    void (async () => {
      messages.push({ path: req.url ?? "", body: (await json(req)) as Sent });
      res.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    })();
  });
  await using app = await startTestApp({ settings: { otlp_endpoint: collector.url } });
  await fetch(`${app.url}/api/articles/7?password=secret`, { headers: { traceparent } });
  await expect.poll(() => messages.length).toBeGreaterThan(0);
  const spans = messages.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans[0]?.spans ?? []),
  );
  expect(messages[0]?.path).toBe("/v1/traces");
  expect(spans).toContainEqual({
    traceId: trace,
    spanId: expect.stringMatching(/^[\da-f]{16}$/),
    parentSpanId: "00f067aa0ba902b7",
    name: "GET /api/articles/{id}",
    kind: 2,
    startTimeUnixNano: expect.stringMatching(/^\d{19}$/),
    endTimeUnixNano: expect.stringMatching(/^\d{19}$/),
    attributes: [
      { key: "http.request.method", value: { stringValue: "GET" } },
      { key: "http.route", value: { stringValue: "/api/articles/{id}" } },
      { key: "http.response.status_code", value: { intValue: "401" } },
    ],
  });
  expect(JSON.stringify(messages)).not.toContain("secret");
});

it("a collector that is away delays no request", async () => {
  await using app = await startTestApp({ settings: { otlp_endpoint: "http://127.0.0.1:1" } });
  for (let i = 0; i < 20; i++) expect((await fetch(`${app.url}/api/articles`)).status).toBe(401);
});
