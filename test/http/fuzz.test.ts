/**
 * Thousands of generated requests: `HEARTH_FUZZ_REQUESTS` says how many (5,000 unless given), `HEARTH_FUZZ_SEED` with which
 * seed. A failure names its seed and path: with these as `HEARTH_FUZZ_SEED` and `HEARTH_FUZZ_PATH`, and the test chosen by
 * `-t`, it is repeated.
 */
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createFuzzConnection, sendAndHangUp, sendAtOnce, type FuzzConnection } from "../support/fuzz-connection.ts";
import { bytesOf, rawBytes, requestFamilies } from "../support/fuzz-requests.ts";
import { checkAnswer } from "../support/fuzz-rules.ts";
import { startFuzzServer, type FuzzServer } from "../support/fuzz-server.ts";

const families = ["paths", "verbs", "headers", "query strings", "JSON", "forms", "XML", "multipart bodies"] as const;
const wanted = Number(process.env["HEARTH_FUZZ_REQUESTS"] ?? 5_000);
/** The two that are more or less than a request count as families, too. */
const numRuns = Math.ceil(wanted / (families.length + 2));
const path = process.env["HEARTH_FUZZ_PATH"];
const options = {
  numRuns,
  seed: Number(process.env["HEARTH_FUZZ_SEED"] ?? 20_261_120),
  ...(path !== undefined && { path }),
};
const patience = { timeout: 20_000, interval: 50 };
const timeout = 120_000 + numRuns * 100;

let server: FuzzServer;
let connection: FuzzConnection;
let filesBefore: string[];
beforeAll(async () => {
  server = await startFuzzServer();
  filesBefore = server.openFiles();
  connection = createFuzzConnection(server.app.port);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Whatever was sent, the server lives, has logged no failure and holds nothing of it any more. */
afterEach(async () => {
  await connection.close();
  const health = await fetch(`${server.app.url}/healthz`);
  expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  expect(server.failures()).toEqual([]);
  await vi.waitFor(async () => {
    expect(await server.openConnections()).toBe(0);
    expect(server.openFiles()).toEqual(filesBefore);
    expect(server.halfWritten()).toEqual([]);
  }, patience);
});

describe("generated requests are answered as documented, and never by a 500", () => {
  it.each(families)(
    "%s",
    async (family) => {
      const requests = requestFamilies(server.operations, server.extras)[family];
      if (!requests) throw new Error(`no family ${family}`);
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const bytes = bytesOf(request, server.credentialsOf(request.person));
          const answer = await connection.exchange(bytes, request.method);
          checkAnswer(answer, request.method);
          await server.notice(request.person, answer);
        }),
        options,
      );
    },
    timeout,
  );
});

describe("bytes that are more or less than a request", () => {
  it(
    "are answered one after the other when they are several",
    async () => {
      const { pipelined } = rawBytes(
        Object.values(requestFamilies(server.operations, server.extras)),
        server.credentialsOf,
      );
      await fc.assert(
        fc.asyncProperty(pipelined, async ({ bytes, methods }) => {
          const answers = await sendAtOnce(server.app.port, bytes, methods);
          expect(answers.length).toBeGreaterThan(0);
          for (const [index, answer] of answers.entries()) checkAnswer(answer, methods[index]);
        }),
        options,
      );
    },
    timeout,
  );

  it(
    "are answered or not when they are broken, and the connection is closed in any case",
    async () => {
      const { broken } = rawBytes(
        Object.values(requestFamilies(server.operations, server.extras)),
        server.credentialsOf,
      );
      await fc.assert(
        fc.asyncProperty(broken, async ({ bytes }) => {
          for (const answer of await sendAndHangUp(server.app.port, bytes)) checkAnswer(answer, "GET");
        }),
        options,
      );
    },
    timeout,
  );
});
