/** The console as a test drives it, in the window or in a browser. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Locator, Page, Route } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The pages by the names of their links, in the order of the sidebar. */
export const pageNames = [
  "Overview",
  "Requests",
  "Events",
  "Phone",
  "Users",
  "Payments",
  "Faults",
  "Collections",
  "Uploads",
  "File events",
  "Chat",
  "Models",
  "API docs",
  "Guides",
  "Fidelity",
  "Devices",
  "Settings",
] as const;

/** Opens a page by its link in the sidebar, as a person would, and waits until it is there. */
export async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor({ state: "attached" });
}

/** Presses keys that belong together. None waits for the one before to arrive, which takes its time on a busy machine. */
export const pressInRow = async (page: Page, ...keys: readonly string[]): Promise<void> =>
  void (await Promise.all(keys.map((key) => page.keyboard.press(key))));

/** Presses what ends the program, which may be gone before it has told that the click arrived. */
export const pressToEnd = (target: Locator): Promise<void> =>
  target.click().catch((error: Error) => {
    if (!error.message.includes("has been closed")) throw error;
  });

/**
 * Answers matching requests by `handle` until the returned function is called. Routes stay on the page for its life:
 * with the last one Playwright stops to intercept, and of the requests that are under way then some are never answered.
 */
export async function intercept(
  page: Page,
  path: RegExp,
  handle: (route: Route) => Promise<unknown>,
): Promise<() => void> {
  let isOver = false;
  await page.route(path, (route) => (isOver ? route.fallback() : handle(route)));
  return () => {
    isOver = true;
  };
}

/** Ends what {@link intercept} began. A handler that still waits for its answer then fails in silence, as its page goes. */
export const stopIntercepting = async (page: Page): Promise<void> => {
  // oxlint-disable-next-line no-restricted-properties -- the page closes next, so its open requests need no answer
  if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
};

/** Has the calls of a method to a path refused with "Out of order." until the returned function is called. */
export const refuse = (page: Page, [method, path]: readonly [string, RegExp]): Promise<() => void> =>
  intercept(page, path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 503, json: { Message: "Out of order." } })
      : route.fallback(),
  );

/** Holds back what is read from a path until the returned function is called. */
export async function holdReads(page: Page, path: RegExp): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  const end = await intercept(page, path, async (route) => {
    if (route.request().method() === "GET") await held.promise;
    return route.fallback();
  });
  return () => {
    end();
    held.resolve();
  };
}

/** Holds the answer to a change back until the page shows what an event has told it of the change. */
export async function answerBehindEvent(
  page: Page,
  [method, path]: readonly [string, RegExp],
  isShown: () => Promise<void>,
): Promise<void> {
  const end = await intercept(page, path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    end();
    const shown = isShown();
    const response = await route.fetch();
    await shown;
    await route.fulfill({ response });
  });
}

/** Notifications that go away by themselves after `ms` stay, those that come before `use` is over. */
async function letStay(page: Page, ms: number, use: () => Promise<unknown>): Promise<void> {
  await page.evaluate(`{
    const { setTimeout } = window;
    window.letGo = () => Object.assign(window, { setTimeout });
    window.setTimeout = (act, ms, ...more) => setTimeout(act, ms === ${String(ms)} ? 2 ** 31 - 1 : ms, ...more);
  }`);
  await use();
  await page.evaluate("void window.letGo()");
}

/** Does what can be undone for some seconds, and undoes it. */
export const undo = (page: Page, act: () => Promise<unknown>): Promise<void> =>
  letStay(page, 8_000, async () => {
    await act();
    await page.getByRole("button", { name: "Undo" }).last().click();
  });

/** Does what is then told of for some seconds, and closes that. */
export async function hear(page: Page, told: string | RegExp, act: () => Promise<unknown>): Promise<void> {
  const notification = page.getByRole("alert").filter({ hasText: told });
  await letStay(page, 4_000, async () => {
    await act();
    await notification.waitFor();
  });
  await notification.getByRole("button", { name: "Close" }).click();
}

/** Chooses in one of the menus of the top bar. */
export async function choose(page: Page, menu: RegExp, choice: string): Promise<void> {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitemradio", { name: choice }).click();
}

/** The rules of axe that look at colours: in another theme the others find what they found before. */
export const rulesOfColours = ["color-contrast", "link-in-text-block"] as const;

/** Waits until nothing changes its colour, size or place any more, but for what turns forever. */
const atRest = `(async () => {
  for (;;) {
    const moving = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    if (moving.every((one) => one.playState !== "running")) return;
    await Promise.allSettled(moving.map((one) => one.finished));
  }
})()`;

/** What axe finds against the page, but for its frames, or against one frame. Colours are those at rest. */
export async function violationsOf(page: Pick<Page, "evaluate">, runOnly?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const options: RunOptions = {
    iframes: false,
    // Describing everything that is right takes axe several times as long as finding what is wrong.
    resultTypes: ["violations"],
    // No rule that is asked reads style sheets, which axe would fetch and parse again each time.
    preload: false,
    ...(runOnly ? { runOnly: [...runOnly] } : { rules: { "target-size": { enabled: true } } }),
  };
  await page.evaluate(atRest);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary = "" }) => `${html} ${failureSummary}`).join(" ")}`,
  );
}
