/** What `/metrics` costs each request: this checkout with it, the other one (`--against .`: the same one) without. */
import type { Bench } from "../open-bench.ts";
import { load, storeArticles } from "./app.ts";
import { onBoth, startBoth, type Sides } from "./sides.ts";
import type { Work } from "./compare.ts";

export async function metricsWorks(bench: Bench, sides: Sides): Promise<Work[]> {
  const off = await startBoth(bench, sides, "off", ["--no-record-requests"], ["--metrics"]);
  const on = await startBoth(bench, sides, "on", [], ["--metrics"]);
  for (const side of [off.ours, off.theirs, on.ours, on.theirs]) await storeArticles(side);
  return [
    onBoth(off, "GET of one article with metrics", load("/api/articles/1")),
    onBoth(on, "GET of one article with metrics, recorded", load("/api/articles/1")),
    onBoth(off, "list of 20 articles with metrics", load("/api/articles?page_size=20")),
  ];
}
