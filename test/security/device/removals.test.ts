/** A device of the local network that is removed while nothing can be written. */
import { expect, it } from "vitest";
import { callFrom, lanControl } from "../../support/app/lan-caller.ts";
import { startTestApp } from "../../support/app/test-app.ts";

it("a device that cannot be removed from the store is out all the same, and can be removed again until it is", async () => {
  await using app = await startTestApp();
  const control = (method: string, path = "", body?: unknown) => lanControl(app.url, method, path, body);
  const view = async () => (await control("GET")).body;
  await control("PATCH", "", { enabled: true });
  const newcomer = async (from: string) => {
    await callFrom({ port: app.port, from });
    return (await view()).waiting.find(({ address }) => address === from)?.id ?? "";
  };
  const id = await newcomer("127.0.0.3");
  expect((await control("PUT", `/devices/${id}`)).status).toBe(204);
  const other = await newcomer("127.0.0.5");
  const stored = async () => (await app.db.selectFrom("lan_devices").select("id").execute()).map((row) => row.id);
  const rename = (name: string, to: string) => app.db.schema.alterTable(name).renameTo(to).execute();
  await rename("lan_devices", "out_of_reach");
  expect((await control("PUT", `/devices/${other}`)).status).toBe(500);
  expect((await control("DELETE", `/devices/${id}`)).status).toBe(500);
  expect((await callFrom({ port: app.port, path: "/api/articles" })).status).toBe(403);
  await rename("out_of_reach", "lan_devices");
  expect(await stored()).toEqual([id]);
  expect((await view()).devices.map((device) => device.id)).toContain(id);
  expect((await control("DELETE", `/devices/${id}`)).status).toBe(204);
  expect(await stored()).toEqual([other]);
  expect((await control("DELETE", `/devices/${id}`)).status).toBe(404);
});
