/** Settings that somebody on another machine changes: none leads Hearth to where that one could not go himself. */
import { describe, expect, it } from "vitest";
import { settingsSchema, type SettingName } from "../../../../server/contract/process/settings.ts";
import { appFromAfar } from "../../../support/app/app-from-afar.ts";
import { authorized } from "../../../support/app/user-files.ts";

const phone = "192.168.77.20";

const { app, door } = appFromAfar(phone);
const change = (values: object, at = door().url) =>
  fetch(`${at}/console/api/settings`, {
    method: "PATCH",
    headers: { ...authorized, "Content-Type": "application/json" },
    body: JSON.stringify({ values }),
  });

describe("the console from another machine", () => {
  it.each(["identity_base_url", "payment_notify_url"])("sets %s to no address of this machine", async (name) => {
    const set = (value: string, at = door().url) => change({ [name]: value }, at);
    const reply = await set("http://127.0.0.1:6379");
    expect([reply.status, await reply.json()]).toMatchObject([403, { code: "target_refused" }]);
    expect((await set("https://8.8.8.8")).status).toBe(200);
    expect((await set(`http://${phone}`)).status).toBe(200);
    expect((await set("http://127.0.0.1:6379", app().url)).status).toBe(200);
  });

  it("sets no address of a private network, whatever the setting", async () => {
    const addresses = ["https://10.9.9.9", "postgres://10.9.9.9/hearth"];
    const takes = (name: SettingName, value: string) => settingsSchema.shape[name].safeParse(value).success;
    const isAddress = (name: SettingName) => !takes(name, "no address") && addresses.some((one) => takes(name, one));
    const merchant = { payment_mch_id: "1900000109", payment_app_id: "wx1", payment_api_v2_key: "k".repeat(32) };
    // Hearth calls no origin.
    const names = (Object.keys(settingsSchema.shape) as SettingName[]).filter(
      (name) => isAddress(name) && name !== "cors_origins",
    );
    expect(names).toEqual(expect.arrayContaining(["database_url", "gpu_engine_registry", "identity_base_url"]));
    for (const name of names) {
      const values = {
        [name]: addresses.find((one) => takes(name, one)),
        ...(name === "payment_base_url" && merchant),
      };
      expect([name, (await change(values)).status]).toEqual([name, 403]);
    }
  });

  it.each([
    ["update_url", "https://8.8.8.8"],
    ["allowed_targets", ["127.0.0.1"]],
    ["registry_mirror", "https://mirror.example/{host}"],
    ["upstreams", ["gpu=http://127.0.0.1:6379?key_env=SECRET"]],
  ])("cannot set %s, which this machine alone changes", async (name, value) => {
    const reply = await change({ [name]: value });
    expect([reply.status, await reply.json()]).toMatchObject([403, { details: [{ field: name }] }]);
    expect((await change({ [name]: value }, app().url)).status).toBe(200);
  });
});
