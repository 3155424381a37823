/** Generated requests to the application server. */
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { loopDelay } from "../support/busy-loop.ts";
import { fuzz } from "./families.ts";
import { createFuzzConnection, sendAndHangUp, sendAtOnce, type FuzzConnection } from "./requests/connection.ts";
import { bytesOf, familyNames, rawBytes, requestFamilies } from "./requests/request-families.ts";
import { checkAnswer } from "./requests/rules.ts";
import { startFuzzServer, type FuzzServer } from "./requests/server.ts";
import { eventually } from "../support/eventually.ts";

const clock = loopDelay();

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
  await eventually(async () => {
    expect(await server.openConnections()).toBe(0);
    expect(server.openFiles()).toEqual(filesBefore);
    expect(server.halfWritten()).toEqual([]);
  });
});

const requestsOf = () => requestFamilies(server.operations, server.extras);

describe("generated requests are answered as documented, and never by a 500:", () => {
  for (const family of familyNames)
    fuzz(family, {
      inputs: () => requestsOf()[family],
      async read(request) {
        const answer = await connection.exchange(
          bytesOf(request, server.credentialsOf(request.person)),
          request.method,
        );
        checkAnswer(answer, request.method);
        await server.notice(request.person, answer);
      },
      clock,
    });
});

describe("bytes that are more or less than a request are answered or not, and the connection is closed in any case:", () => {
  const raw = () => rawBytes(Object.values(requestsOf()), server.credentialsOf);

  fuzz("several requests at once", {
    inputs: () => raw().pipelined,
    async read({ bytes, methods }) {
      const answers = await sendAtOnce(server.app.port, bytes, methods);
      expect(answers.length).toBeGreaterThan(0);
      for (const [index, answer] of answers.entries()) checkAnswer(answer, methods[index]);
    },
    clock,
  });

  fuzz("broken requests", {
    inputs: () => raw().broken,
    async read({ bytes }) {
      for (const answer of await sendAndHangUp(server.app.port, bytes)) checkAnswer(answer, "GET");
    },
    clock,
  });
});
