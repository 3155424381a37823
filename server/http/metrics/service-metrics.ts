/** The metrics of a service, and GET /metrics, which answers them. */
import { pathOf, type Middleware } from "../middleware.ts";
import { below } from "../pipeline.ts";
import { notesOf } from "../recording/exchange-notes.ts";
import { sendText } from "../conventions/send-json.ts";
import { measureRequests } from "./http-metrics.ts";
import { createMetricRegistry, metricsType, type MetricRegistry } from "./metric-registry.ts";
import { addProcessMetrics } from "./process-metrics.ts";

const root = "/metrics";

/** Undefined while the setting `metrics` is off. */
export function createServiceMetrics(isOn: boolean): MetricRegistry | undefined {
  if (!isOn) return undefined;
  const metrics = createMetricRegistry();
  addProcessMetrics(metrics);
  return metrics;
}

/** Steps that measure all requests, and serve the metrics behind all `guards`. */
export function metricsSteps(metrics: MetricRegistry | undefined, guards: readonly Middleware[]): Middleware[] {
  if (!metrics) return [];
  const answer: Middleware = async (req, res, next) => {
    if ((req.method !== "GET" && req.method !== "HEAD") || pathOf(req).length > root.length + 1) {
      next();
      return;
    }
    notesOf(res).path = root;
    res.setHeader("Cache-Control", "no-store");
    sendText(res, 200, metricsType, await metrics.text());
  };
  return [measureRequests(metrics), ...[...guards, answer].map((step) => below(root, step))];
}
