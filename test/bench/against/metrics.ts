/** What `/metrics` costs each request: this checkout with it, the other one (`--against .`: the same one) without. */
import type { Bench } from "../open-bench.ts";
import { load, startWithArticles } from "./app.ts";
import { onBoth, type Sides } from "./sides.ts";
import type { Work } from "./compare.ts";

export async function metricsWorks(bench: Bench, sides: Sides): Promise<Work[]> {
  const off = await startWithArticles(bench, sides, "off", ["--no-record-requests"], ["--metrics"]);
  const on = await startWithArticles(bench, sides, "on", [], ["--metrics"]);
  return [
    onBoth(off, "GET of one article with metrics", load("/api/articles/1")),
    onBoth(on, "GET of one article with metrics, recorded", load("/api/articles/1")),
    onBoth(off, "list of 20 articles with metrics", load("/api/articles?page_size=20")),
  ];
}
