/** `hearthkit/vitest`: Vitest's `test` with a Hearth. One instance for each worker, reset before each test. */
import { test as plainTest, type TestAPI } from "vitest";
import type { Hearth } from "./hearth.ts";
import { startHearth, type HearthOptions } from "./start-hearth.ts";

interface Fixtures {
  /** How it starts, for all tests of a file: `test.override({ hearthOptions })`. */
  hearthOptions: HearthOptions;
  /** The worker's instance, as the test before has left it. */
  workerHearth: Hearth;
  /** The worker's instance, reset. When the test fails, its requests are attached as a HAR file. */
  hearth: Hearth;
}

export const test: TestAPI<Fixtures> = plainTest.extend<Fixtures>({
  hearthOptions: [{}, { scope: "worker" }],
  workerHearth: [
    async ({ hearthOptions }, use) => {
      const hearth = await startHearth(hearthOptions);
      await use(hearth);
      await hearth.stop();
    },
    { scope: "worker" },
  ],
  hearth: async ({ workerHearth, annotate, onTestFailed }, use) => {
    await workerHearth.reset();
    onTestFailed(async () => {
      const body = await workerHearth.har();
      await annotate("recorded requests (HAR)", { contentType: "application/json", body, bodyEncoding: "utf-8" });
    });
    await use(workerHearth);
  },
});
