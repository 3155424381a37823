/** `hearthkit/playwright`: Playwright's `test` with a Hearth. One instance for each worker, reset before each test. */
import { writeFile } from "node:fs/promises";
import {
  test as plainTest,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from "@playwright/test";
import type { Hearth } from "./hearth.ts";
import { startHearth, type HearthOptions } from "./start-hearth.ts";

interface WorkerFixtures {
  /** Options of the start: `test.use({ hearthOptions })`, or `use` in Playwright's configuration. */
  hearthOptions: HearthOptions;
  /** The worker's instance, in the state after the previous test. */
  workerHearth: Hearth;
}

interface TestFixtures {
  /** The worker's instance, reset. When the test fails, its requests are attached as `requests.har`. */
  hearth: Hearth;
}

export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = plainTest.extend<TestFixtures, WorkerFixtures>({
  hearthOptions: [{}, { scope: "worker", option: true }],
  workerHearth: [
    async ({ hearthOptions }, use) => {
      const hearth = await startHearth(hearthOptions);
      await use(hearth);
      await hearth.stop();
    },
    { scope: "worker" },
  ],
  hearth: async ({ workerHearth }, use, testInfo) => {
    await workerHearth.reset();
    await use(workerHearth);
    if (testInfo.status !== testInfo.expectedStatus) {
      const path = testInfo.outputPath("requests.har");
      await writeFile(path, await workerHearth.har());
      testInfo.attachments.push({ name: "requests.har", path, contentType: "application/json" });
    }
  },
});
