/** An instance without a model whose process ends, or is restarted from its console. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type * as Kit from "../../../server/kit/start-hearth.ts";
import { patienceMs } from "../../support/eventually.ts";
import { sendSignal } from "../../support/process/processes.ts";

const built = pathToFileURL(join(import.meta.dirname, "../../../dist/kit.js")).href;
const { startHearth } = (await import(built)) as typeof Kit;
const patient = { timeout: patienceMs };

/** The console's API of an instance. */
function consoleOf({ urls }: Kit.Hearth) {
  const { origin, searchParams } = new URL(urls.console);
  const headers = { Authorization: `Bearer ${searchParams.get("token")}`, "Content-Type": "application/json" };
  const call = async (path: string, method = "GET", body?: object) =>
    fetch(`${origin}/console/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return {
    call,
    process: async () => {
      const { services } = (await (await call("/overview")).json()) as { services: { name: string; pid?: number }[] };
      return services.find(({ name }) => name === "app")?.pid;
    },
  };
}

it("answers at the same addresses, with its data, after its process was killed", async () => {
  await using hearth = await startHearth({ model: false });
  const ada = await hearth.phone("ada");
  await ada.request("POST", "/api/articles", { title: "Tea" });
  const pid = await consoleOf(hearth).process();
  sendSignal(pid, "SIGKILL");
  const titles = async () => {
    const { body } = await ada.request<{ data: { title: string }[] }>("GET", "/api/articles");
    return body.data.map(({ title }) => title);
  };
  await expect.poll(async () => titles().catch(() => []), patient).toEqual(["Tea"]);
});

it("restarts with a setting that was changed in its console", async () => {
  await using hearth = await startHearth({ model: false });
  const { call, process } = consoleOf(hearth);
  const before = await process();
  expect((await call("/settings", "PATCH", { values: { maintenance: true } })).status).toBe(200);
  expect((await call("/services/app/restarts", "POST", {})).status).toBe(202);
  await expect.poll(async () => process().catch(() => before), patient).not.toBe(before);
  expect((await fetch(`${hearth.urls.app}/api/articles`)).status).toBe(503);
});
