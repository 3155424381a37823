/**
 * Measures the requests of a service, by the names and buckets of OpenTelemetry's conventions for HTTP servers. The label
 * `http_route` is the path of a route as it is defined, never that of a request, so that the series stay few.
 */
import type { Middleware } from "../middleware.ts";
import { notesOf } from "../recording/exchange-notes.ts";
import type { HistogramSeries, MetricRegistry } from "./metric-registry.ts";

const bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Node's parser accepts more methods, with which clients could create series. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** A middleware that must precede every step that answers. */
export function measureRequests(metrics: MetricRegistry): Middleware {
  let active = 0;
  metrics.read("gauge", "http_server_active_requests", "Requests in progress.", () => [{ value: active }]);
  const durations = metrics.histogram(
    "http_server_request_duration_seconds",
    "Time from the head of a request to the last byte of its reply.",
    bounds,
  );
  const series = new Map<string, HistogramSeries>();

  function seriesOf(method: string, status: number, route: string): HistogramSeries {
    const key = `${method}${String(status)}${route}`;
    const known = series.get(key);
    if (known) return known;
    const made = durations.of({
      http_request_method: method,
      http_response_status_code: String(status),
      http_route: route,
    });
    series.set(key, made);
    return made;
  }

  return (req, res, next) => {
    const began = performance.now();
    active++;
    res.once("close", () => {
      active--;
      const method = methods.has(req.method ?? "") ? (req.method ?? "") : "_OTHER";
      // nginx also counts 499 for a client that left before the answer.
      const status = res.headersSent ? res.statusCode : 499;
      const { route, path = route?.path ?? "" } = notesOf(res);
      seriesOf(method, status, path).observe((performance.now() - began) / 1000);
    });
    next();
  };
}
