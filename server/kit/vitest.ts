/** `hearthkit/vitest`: Vitest's `test` with a Hearth. One instance for each worker and its options, reset before each test. */
import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { recordArtifact, test as plainTest, type TestAPI } from "vitest";
import type { Hearth } from "./hearth.ts";
import { startHearth, type HearthOptions } from "./start-hearth.ts";

/** The requests of a failed test. Vitest copies the file to its attachments. */
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
  /** Options of the start, for all tests of a file: `test.override({ hearthOptions })`. */
  hearthOptions: HearthOptions;
  /** Returns the worker's instance, or a new one for other options. */
  hearthOfWorker: (options: HearthOptions) => Promise<Hearth>;
  /** The worker's instance, in the state after the previous test; without isolation, that of its first file. */
  workerHearth: Hearth;
  /** The worker's instance, reset. When the test fails, its requests are attached as a HAR file. */
  hearth: Hearth;
}

export const test: TestAPI<Fixtures> = plainTest.extend<Fixtures>({
  hearthOptions: [{}, { scope: "worker" }],
  // Without isolation a worker runs many files, each with options of its own.
  hearthOfWorker: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures are needed
    async ({}, use) => {
      let running: { readonly options: HearthOptions; readonly hearth: Hearth } | undefined;
      const end = async () => {
        const hearth = running?.hearth;
        running = undefined;
        await hearth?.stop();
      };
      await use(async (options) => {
        if (running !== undefined && isDeepStrictEqual(running.options, options)) return running.hearth;
        await end();
        running = { options: structuredClone(options), hearth: await startHearth(options) };
        return running.hearth;
      });
      await end();
    },
    { scope: "worker" },
  ],
  workerHearth: [
    async ({ hearthOptions, hearthOfWorker }, use) => use(await hearthOfWorker(hearthOptions)),
    { scope: "worker" },
  ],
  hearth: async ({ hearthOptions, hearthOfWorker, onTestFailed }, use) => {
    const hearth = await hearthOfWorker(hearthOptions);
    await hearth.reset();
    // Not an annotation, because annotations end with the test.
    onTestFailed(async ({ task }) => {
      const path = join(tmpdir(), `${randomUUID()}.har`);
      await writeFile(path, await hearth.har());
      try {
        await recordArtifact(task, {
          type: "hearthkit:requests",
          attachments: [{ path, contentType: "application/json" }],
        });
      } finally {
        await rm(path);
      }
    });
    await use(hearth);
  },
});
