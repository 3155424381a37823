/** Answers to the page that come late, as on a busy machine: a step that is taken before its page is ready fails by them. */
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";

/** Delays every answer at random by up to so many milliseconds, where `npm run test:steady` asks for it. */
export async function delayAnswers(page: Page): Promise<void> {
  const upToMs = Number(process.env["HEARTH_TEST_ANSWER_DELAY_MS"] ?? 0);
  if (upToMs === 0) return;
  await page.route(/\/console\/(api|assets)\//, async (route) => {
    await setTimeout(Math.random() * upToMs);
    await route.fallback();
  });
}

/** For a page whose process is killed: whoever drives it loses the page then, and what it holds back of that for ever. */
export const delayNoLonger = (page: Page): Promise<void> =>
  // oxlint-disable-next-line no-restricted-properties -- a request that is left without its answer ends with the process
  page.unrouteAll();
