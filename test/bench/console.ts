/**
 * The console in Chromium over a headless run: how soon and by how many bytes the first page is there, what an idle page
 * costs, what Lighthouse says of some pages, what 100,000 rows cost while they are scrolled through, and whether a storm of
 * events leaves the page alive and its count true. The browser's own list of long tasks says for how long the page stood
 * still.
 */
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openChromium } from "../support/console/chromium.ts";
import { openPage } from "../support/console/console-page.ts";
import { fillConsole } from "../support/console/console-scene.ts";
import { freePort } from "../support/process/free-port.ts";
import { startHearth, type HearthRun } from "./hearth.ts";
import { judgePage } from "./lighthouse.ts";
import { openBench } from "./open-bench.ts";
import { atMost, median, spread } from "./statistics.ts";

const rows = 100_000;
const storm = { perSecond: 1_000, seconds: 30 };
const bars = { firstContentMs: 1_000, firstLoadKb: 350, longTaskMs: 100, layoutShift: 0, idleThousandths: 5 };
const idleSeconds = 20;
const judged = { Overview: "", Requests: "requests", Payments: "payments" };
await using bench = openBench();

/** Makes the page keep its long tasks (over 50 ms), its layout shifts, and when the services were there. */
const observed = `
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: "longtask", buffered: true });
  window.shift = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
  new MutationObserver(() => {
    if (document.querySelector("article[data-service]")) window.servicesAt ??= performance.now();
  }).observe(document, { childList: true, subtree: true });
`;

/** The long tasks in ms since the last call. */
const takeLongTasks = (page: Page) => page.evaluate<number[]>("window.longTasks.splice(0)");
const heapMb = async (page: Page) => (await page.evaluate<number>("performance.memory.usedJSHeapSize")) / 1e6;

function printTasks(what: string, tasks: readonly number[]): boolean {
  const over = tasks.filter((ms) => ms > bars.longTaskMs);
  console.log(`  long tasks: ${String(tasks.length)} over 50 ms, the longest ${Math.max(0, ...tasks).toFixed(0)} ms`);
  return atMost(`${what}: tasks over ${String(bars.longTaskMs)} ms`, over.length, 0);
}

async function firstContent(page: Page, address: string): Promise<boolean> {
  const painted: number[] = [];
  const services: number[] = [];
  const loadedKb: number[] = [];
  let shift = 0;
  await page.goto(address); // the cookie, the caches of the server
  for (let round = 0; round < 7; round++) {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.clearBrowserCache");
    await session.send("Network.enable");
    let bytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(new URL("/console/", address).href);
    await page.getByRole("article", { name: "Application server" }).waitFor();
    services.push(await page.evaluate<number>("window.servicesAt"));
    painted.push(
      await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"),
    );
    shift = Math.max(shift, await page.evaluate<number>("window.shift"));
    loadedKb.push(bytes / 1_000);
    await session.detach();
  }
  console.log(
    `with an empty cache, in ms: first paint of content ${spread(painted)}; the services ${spread(services)}`,
  );
  // The frame alone, which needs no code, would not be content.
  const soon = atMost("first content with the services in ms", median(services), bars.firstContentMs);
  const small = atMost("first load over the wire in kB", median(loadedKb), bars.firstLoadKb);
  return atMost("layout shift in thousandths", shift * 1_000, bars.layoutShift * 1_000) && soon && small;
}

/** What the page's process takes of a core while nothing happens, on each page in turn. */
async function idle(page: Page, address: string): Promise<boolean> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const processSeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "ProcessTime")?.value ?? NaN;
  };
  let reached = true;
  for (const [name, path] of Object.entries(judged)) {
    await page.goto(new URL(`/console/${path}`, address).href);
    await page.getByRole("heading", { level: 1, name }).waitFor({ state: "attached" });
    await wait(5_000); // what is fetched after the page's first content
    await session.send("HeapProfiler.collectGarbage"); // of the pages before, which this process has shown, too
    await wait(5_000);
    let asked = 0;
    page.on("request", () => asked++);
    const measured = async () => {
      const before = await processSeconds();
      await wait(idleSeconds * 1_000);
      return ((await processSeconds()) - before) / idleSeconds;
    };
    let share = await measured();
    // A page that asks something has been told that something happened: an order's notification was sent again, say.
    while (asked > 0) {
      asked = 0;
      share = await measured();
    }
    page.removeAllListeners("request");
    reached = atMost(`${name} idle, in thousandths of a core`, share * 1_000, bars.idleThousandths) && reached;
  }
  await session.detach();
  return reached;
}

async function judgePages(address: string, port: number): Promise<boolean> {
  let reached = true;
  for (const [name, path] of Object.entries(judged)) {
    const url = new URL(`/console/${path}`, address).href;
    reached = (await judgePage(name, url, { port, runs: 5 })) && reached;
  }
  return reached;
}

/** Sends so many recorded requests. */
async function fill({ app }: HearthRun): Promise<void> {
  const autocannon = createRequire(import.meta.url)("autocannon") as (options: object) => Promise<unknown>;
  await autocannon({ url: `${app}/api/articles`, connections: 16, amount: rows });
}

async function scroll(page: Page): Promise<boolean> {
  await openPage(page, "Requests");
  const grid = page.getByRole("grid");
  await grid.waitFor();
  await page.mouse.move(600, 500);
  await takeLongTasks(page);
  const before = await heapMb(page);
  const until = performance.now() + 20_000;
  while (performance.now() < until) {
    await page.mouse.wheel(0, 1_200);
    await wait(16);
  }
  const scrolled = await grid.evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop);
  console.log(`scrolled by ${(scrolled / 32).toFixed(0)} of ${String(rows)} rows in 20 s`);
  console.log(`  heap of the page: ${before.toFixed(0)} MB before, ${(await heapMb(page)).toFixed(0)} MB after`);
  return printTasks("scrolling", await takeLongTasks(page));
}

/** Delivers events at an even pace; answers how many were taken. */
async function blow({ app, authorization }: HearthRun): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const post = (n: number) =>
    new Promise<boolean>((resolve) => {
      const data = { collection: "articles", id: n };
      const body = JSON.stringify({
        source: "/app/articles",
        type: "resource.updated",
        subject: `articles/${n}`,
        data,
      });
      const headers = { authorization, "content-type": "application/json" };
      request(`${app}/console/api/events`, { method: "POST", agent, headers }, (reply) => {
        reply.resume().once("end", () => resolve(reply.statusCode === 201));
      })
        .once("error", () => resolve(false))
        .end(body);
    });
  const sent: Promise<boolean>[] = [];
  const startedAt = performance.now();
  const all = storm.perSecond * storm.seconds;
  while (sent.length < all) {
    const due = Math.min(all, Math.floor(((performance.now() - startedAt) / 1_000) * storm.perSecond));
    while (sent.length < due) sent.push(post(sent.length + 1));
    await wait(10);
  }
  const taken = (await Promise.all(sent)).filter(Boolean).length;
  console.log(`storm: ${String(taken)} events in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  agent.destroy();
  return taken;
}

async function survive(page: Page, run: HearthRun): Promise<boolean> {
  await openPage(page, "Events");
  await page.getByRole("row").nth(1).waitFor();
  const stored = async () => {
    const reply = await fetch(`${run.app}/console/api/events?limit=1`, {
      headers: { authorization: run.authorization },
    });
    return ((await reply.json()) as { total: number }).total;
  };
  const before = await stored();
  await takeLongTasks(page);
  const taken = await blow(run);
  const expected = before + taken;
  const shown = async () => Number((await page.getByText(/^[\d,]+ stored$/).textContent())?.replace(/\D/g, ""));
  const until = performance.now() + 15_000;
  while ((await shown()) !== expected && performance.now() < until) await wait(100);
  console.log(`  heap of the page: ${(await heapMb(page)).toFixed(0)} MB`);
  const alive = printTasks("storm", await takeLongTasks(page));
  return atMost("events that the page did not count", Math.abs(expected - (await shown())), 0) && alive;
}

async function measure(): Promise<boolean> {
  const run = await startHearth(bench.start, { folder: bench.folder, name: "console", flags: [] });
  const port = await freePort();
  await using browser = await openChromium({ locale: "en-GB", viewport: { width: 1440, height: 900 } }, [
    `--remote-debugging-port=${String(port)}`,
  ]);
  const { page } = browser;
  await page.addInitScript(observed);
  const first = await firstContent(page, run.ready.console);
  await fillConsole(run.ready, join(bench.folder, "scene"));
  const quiet = await idle(page, run.ready.console);
  const good = await judgePages(run.ready.console, port);
  await fill(run);
  const smooth = await scroll(page);
  const alive = await survive(page, run);
  return first && quiet && good && smooth && alive;
}

process.exitCode = (await measure()) ? 0 : 1;
