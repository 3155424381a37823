/** Lighthouse over a page that a browser has logged in to. */
import { createRequire } from "node:module";
import { median, spread } from "./statistics.ts";

type Category = "performance" | "accessibility" | "best-practices";
interface Report {
  readonly categories: Readonly<Record<Category, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>;
}
type Lighthouse = (url: string, flags: object, config: object) => Promise<{ readonly lhr: Report } | undefined>;

const require = createRequire(import.meta.url);
const bars: Readonly<Record<Category, number>> = { performance: 95, accessibility: 100, "best-practices": 100 };

/**
 * Runs the desktop preset so many times and prints the median of each score beside its bar, with what costs points. The
 * browser's cookies stay, its cache does not.
 */
export async function judgePage(name: string, url: string, { port, runs }: { port: number; runs: number }) {
  const { default: lighthouse } = require("lighthouse") as { default: Lighthouse };
  const { default: desktop } = require("lighthouse/core/config/desktop-config.js") as { default: object };
  const flags = { port, logLevel: "error", onlyCategories: Object.keys(bars), disableStorageReset: true };
  const reports: Report[] = [];
  while (reports.length < runs) {
    const result = await lighthouse(url, flags, desktop);
    if (result) reports.push(result.lhr);
  }
  const lost = new Set(
    reports.flatMap(({ audits }) => Object.values(audits).flatMap(({ title, score }) => (score === 0 ? [title] : []))),
  );
  let reached = true;
  for (const category of Object.keys(bars) as Category[]) {
    const scores = reports.map(({ categories }) => Math.round((categories[category].score ?? 0) * 100));
    const isReached = median(scores) >= bars[category];
    console.log(
      `${isReached ? "ok  " : "MISS"} ${name}, Lighthouse's ${category}: ${spread(scores)}, at least ${String(bars[category])}`,
    );
    reached &&= isReached;
  }
  for (const title of lost) console.log(`  ${title}`);
  return reached;
}
