/** Restarts for changed settings, of a Hearth whose services are processes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SettingsPage } from "../../../../server/contract/console/setting-endpoints.ts";
import { named } from "../../../support/app/named-setting.ts";
import { asConsole } from "../../../support/process/console-access.ts";
import { freePort } from "../../../support/process/free-port.ts";
import { launchHearth } from "../../../support/process/launch.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

it("restarted services work with the changed settings, and say so", async () => {
  await using hearth = launchHearth({ flags: ["--app-port", String(await freePort())] });
  const { app, console: address } = await hearth.ready();
  const headers = {
    authorization: `Bearer ${new URL(address).searchParams.get("token") ?? ""}`,
    "content-type": "application/json",
  };
  const settings = async (path = "", init: RequestInit = {}) =>
    (await fetch(`${app}/console/api/settings${path}`, { ...init, headers })).json() as Promise<SettingsPage>;
  const body = JSON.stringify({ values: { json_indent: 3 } });
  const changed = await settings("", { method: "PATCH", body });
  expect(named(changed, "json_indent")).toMatchObject({ pending: true, takes_effect: "after_restart" });
  expect(await settings("/restarts", { method: "POST" })).toEqual({ services: ["app"] });
  const refusal = () => fetch(`${app}/api/articles`).then((reply) => reply.text());
  await expect.poll(() => refusal().catch(() => "")).toMatch(/^\{\n {3}"Message"/);
  expect(named(await settings(), "json_indent")).toMatchObject({ value: 3, source: "file", pending: false });
});

it("a removed setting is also removed from the restarted services, and maintenance stays as it was written", async () => {
  using folder = temporaryFolder();
  const written = { identity_base_url: "http://127.0.0.1:9" };
  writeFileSync(join(folder.path, "hearth.config.json"), JSON.stringify(written));
  await using hearth = launchHearth({ dataDir: folder.path, flags: ["--app-port", String(await freePort())] });
  const { app, console: address } = await hearth.ready();
  const headers = { ...asConsole(address), "content-type": "application/json" };
  const call = (method: string, path: string, body?: object) =>
    fetch(`${app}/console/api/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const setting = async (name: string) => named((await (await call("GET", "settings")).json()) as SettingsPage, name);
  const restart = async (path: string) => {
    const before = await hearth.pidOf("app");
    await call("POST", path, {});
    await expect.poll(() => hearth.pidOf("app").catch(() => before)).not.toBe(before);
  };
  expect(await setting("identity_base_url")).toMatchObject({ value: "http://127.0.0.1:9", source: "file" });
  await call("PATCH", "settings", { values: { identity_base_url: null, maintenance: true } });
  await restart("settings/restarts");
  expect(await setting("identity_base_url")).not.toHaveProperty("value");
  await restart("services/app/restarts");
  expect(await setting("maintenance")).toMatchObject({ value: true, source: "file", pending: false });
  expect((await fetch(`${app}/api/articles`)).status).toBe(503);
});
