/** `hearthkit/vitest`: Vitest's `test` with a Hearth. One instance for each worker, reset before each test. */
import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordArtifact, test as plainTest, type TestAPI } from "vitest";
import type { Hearth } from "./hearth.ts";
import { startHearth, type HearthOptions } from "./start-hearth.ts";

/** The requests of a failed test. Vitest copies the file to where it keeps attachments. */
interface RequestsArtifact {
  type: "hearthkit:requests";
  attachments: { path: string; contentType: string }[];
}

declare module "vitest" {
  interface TestArtifactRegistry {
    "hearthkit:requests": RequestsArtifact;
  }
}

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
  hearth: async ({ workerHearth, onTestFailed }, use) => {
    await workerHearth.reset();
    // Not an annotation: those end with the test.
    onTestFailed(async ({ task }) => {
      const path = join(tmpdir(), `${randomUUID()}.har`);
      await writeFile(path, await workerHearth.har());
      try {
        await recordArtifact(task, {
          type: "hearthkit:requests",
          attachments: [{ path, contentType: "application/json" }],
        });
      } finally {
        await rm(path);
      }
    });
    await use(workerHearth);
  },
});
