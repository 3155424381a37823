/** Whether everything answers again, as clients notice it. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { until } from "./until.ts";
import { modelName, type World } from "./world.ts";

/** Whether the window shows a page of the console that has come to life. */
async function showsConsole(devTools: string): Promise<boolean> {
  const browser = await chromium.connectOverCDP(devTools, { timeout: 5_000 });
  try {
    const [page] = browser.contexts()[0]?.pages() ?? [];
    return (await page?.getByRole("navigation", { name: "Pages" }).isVisible()) === true;
  } finally {
    await browser.close();
  }
}

/**
 * Waits until every service does its work, a written one included.
 * @returns the seconds that it took, without a pause of the supervisor that it had announced, and what answered last
 */
export async function waitUntilAllAnswer(
  world: World,
  mark: string,
  outputBefore: number,
): Promise<{ seconds: number; last: string }> {
  const began = performance.now();
  let last = "";
  const answers = async (what: string, status: number, ask: () => Promise<{ status: number }>) => {
    await until(what, async () => ((await ask()).status === status ? true : undefined));
    last = what;
  };
  const devTools = world.hearth.devTools();
  const probe = join(world.watched, `${mark}-probe`);
  writeFileSync(probe, mark);
  await Promise.all([
    answers("the application server", 201, () => world.client("POST", "/articles", { title: `${mark}-probe` })),
    answers("the provider", 200, () => world.sim("GET", "/settings")),
    answers("the model", 200, () =>
      world.model("POST", "/generate", { model: modelName, prompt: "a", stream: false, options: { num_predict: 1 } }),
    ),
    answers("the watcher", 1, async () => {
      const { body } = await world.console("GET", `/file-events?q=${encodeURIComponent(`${mark}-probe`)}`);
      return { status: Math.min(1, (body as { total: number }).total) };
    }),
    devTools && answers("the window", 1, async () => ({ status: Number(await showsConsole(devTools)) })),
  ]);
  rmSync(probe, { force: true });
  const seconds = (performance.now() - began) / 1000;
  const announced = [
    ...world.hearth
      .output()
      .slice(outputBefore)
      .matchAll(/it starts again in ([\d.]+) s/g),
  ];
  const pause = Math.max(0, ...announced.map(([, of]) => Number(of)));
  return { seconds: Math.max(0, seconds - pause), last };
}
