import { afterAll, beforeAll } from "vitest";
import { listenFrom } from "../process/listen-from.ts";
import { startTestApp, type TestApp } from "./test-app.ts";

/** An app for all tests of a file or group, and a port of it whose callers are another machine with this address. */
export function appFromAfar(address: string) {
  let app: TestApp;
  let door: Awaited<ReturnType<typeof listenFrom>>;
  beforeAll(async () => {
    app = await startTestApp();
    door = await listenFrom(app.server, address);
  });
  afterAll(async () => {
    await door[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });
  return { app: () => app, door: () => door };
}
