import { createAccess } from "../../../renderer/api/http/access.ts";
import { createCall, createSend, type Call } from "../../../renderer/api/http/call.ts";
import { consoleToken, type TestApp } from "./test-app.ts";

/** The client of the console's page, at that app. */
export const pageCall = (app: Pick<TestApp, "url">): Call =>
  createCall(
    createSend(
      (path, init) =>
        fetch(new URL(path, app.url), {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${consoleToken}` },
        }),
      createAccess(),
    ),
  );
