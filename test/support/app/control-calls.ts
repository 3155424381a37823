/** What tests of resets and fixtures ask of the control API, and what they put there to be reset. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pngBytes } from "../files.ts";
import { authorized } from "./recorded-calls.ts";
import type { TestApp } from "./test-app.ts";

export const json = async <T>(response: Response | Promise<Response>) => (await (await response).json()) as T;

export const smallPng = Buffer.from(pngBytes(1, 1));

/** A call of the console's API. */
export const callConsole = (to: Pick<TestApp, "url">, method: string, path: string, body?: unknown) =>
  fetch(`${to.url}/console/api${path}`, {
    method,
    headers: { ...authorized, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

export function controlCalls(app: () => TestApp) {
  const control = (method: string, path: string, body?: unknown) => callConsole(app(), method, path, body);
  return {
    control,
    reset: (...parts: string[]) => control("POST", "/resets", { parts }),
    /** Rows of a table. */
    count: async (table: "users" | "sessions" | "records" | "uploads" | "file_events" | "events") =>
      (await app().db.selectFrom(table).selectAll().execute()).length,
    /** Uploads the small picture and answers its id. */
    upload: async (headers: Record<string, string>, name = "x.png"): Promise<number> => {
      const form = new FormData();
      form.append("[]", new File([smallPng], name));
      const sent = fetch(`${app().url}/api/uploads`, { method: "POST", headers, body: form });
      return (await json<{ id: number }>(sent)).id;
    },
    /** Files of stored contents. */
    blobs: async () =>
      (await readdir(join(app().folder, "uploads"), { recursive: true, withFileTypes: true })).filter((one) =>
        one.isFile(),
      ),
  };
}
