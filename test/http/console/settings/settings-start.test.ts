/** The settings over the console's API: what the next start would end at is refused, and a start says what ends it. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { authorized } from "../../../support/app/user-files.ts";
import { builtCommand, plainEnvironment } from "../../../support/process/launch.ts";
import { listen } from "../../../support/process/listen.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

async function change(app: TestApp, values: object, language = "en") {
  const reply = await fetch(`${app.url}/console/api/settings`, {
    method: "PATCH",
    headers: { ...authorized, "content-type": "application/json", "accept-language": language },
    body: JSON.stringify({ values }),
  });
  const { Message, details } = (await reply.json()) as { Message?: string; details?: { field: string }[] };
  return { status: reply.status, message: Message, field: details?.[0]?.field };
}

/** An address for documentation, which no machine has (RFC 5737). */
const nobodys = "203.0.113.7";
const merchant = {
  payment_version: "v3",
  payment_mch_id: "1900000109",
  payment_app_id: "wx0123456789abcdef",
  payment_api_v3_key: "0123456789abcdef0123456789abcdef",
  payment_merchant_serial: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
};

describe("settings with which Hearth would not start", () => {
  it.each([
    [{ host: nobodys }, "host", `${nobodys} is not an address of this machine`],
    [{ host: "not a host" }, "host", "not a host is not an address of this machine"],
    [
      { model_port: 4000, provider_port: 4000 },
      "provider_port",
      "provider_port and model_port have the same port 4000",
    ],
    [{ app_port: 3081 }, "app_port", "app_port and provider_port have the same port 3081"],
    [{ ...merchant, payment_merchant_key_file: "/no/such/key.pem" }, "payment_merchant_key_file", "does not exist"],
    [{ ...merchant, payment_merchant_key_file: import.meta.filename }, "payment_merchant_key_file", "not the PEM file"],
    [
      { uploads_bucket: "files", uploads_endpoint: "http://127.0.0.1:9", uploads_key_id: "me" },
      "uploads_secret_key",
      "is missing",
    ],
    [
      { database_url: "postgres://me:hunter2@127.0.0.1:1/db" },
      "database_url",
      "cannot be used at postgres://me@127.0.0.1:1/db",
    ],
    [{ uploads_bucket: "files", MaxSizeOfSigleFile_MB: 9000 }, "MaxSizeOfSigleFile_MB", "is 5120"],
  ])("%j are refused with the name and what to do, and nothing is written", async (values, field, message) => {
    await using app = await startTestApp();
    expect(await change(app, values)).toMatchObject({
      status: 400,
      field,
      message: expect.stringContaining(message) as string,
    });
    const page = await fetch(`${app.url}/console/api/settings`, { headers: authorized });
    const { file } = (await page.json()) as { file: string };
    expect(existsSync(file)).toBe(false);
  });

  it("are refused in the reader's language, also by the checks of features", async () => {
    await using app = await startTestApp();
    expect(await change(app, { ...merchant, payment_merchant_key_file: "/no/such/key.pem" }, "zh")).toEqual({
      status: 400,
      field: "payment_merchant_key_file",
      message: "payment_merchant_key_file：/no/such/key.pem 不存在。",
    });
  });

  const bucket = { uploads_bucket: "files", uploads_endpoint: "http://127.0.0.1:9" };
  it.each([
    [
      { ...bucket, uploads_key_id: "me", uploads_secret_key: "x" },
      { uploads_secret_key: null },
      "uploads_secret_key",
      "is missing",
    ],
    [
      { app_port: 4000, provider_port: 3080 },
      { app_port: null },
      "app_port",
      "app_port and provider_port have the same port 3080",
    ],
    [
      { stand_in_port: 3080 },
      { stand_in: true },
      "stand_in_port",
      "app_port and stand_in_port have the same port 3080",
    ],
  ])(
    "with %j in the file, %j are refused with the name, and nothing is written",
    async (own, values, field, message) => {
      await using app = await startTestApp();
      const file = join(app.folder, "hearth.config.json");
      writeFileSync(file, JSON.stringify(own));
      expect(await change(app, values)).toMatchObject({
        status: 400,
        field,
        message: expect.stringContaining(message) as string,
      });
      expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(own);
    },
  );

  it("are a stand-in that is turned on where another program has its port, as a flag gives it or the file", async () => {
    await using other = await listen((_req, res) => res.end());
    const stand_in_port = Number(new URL(other.url).port);
    await using app = await startTestApp({ settings: { stand_in_port }, origins: { stand_in_port: "flag" } });
    const refused = { status: 400, field: "stand_in_port" };
    expect(await change(app, { stand_in: true })).toMatchObject(refused);
    await using without = await startTestApp();
    expect(await change(without, { stand_in_port })).toMatchObject({ status: 200 });
    expect(await change(without, { stand_in: true })).toMatchObject(refused);
    expect(await change(without, { stand_in: true, stand_in_port: 0 })).toMatchObject({ status: 200 });
  });

  it.each([
    [
      { app_port: 4711 },
      { provider_port: 4711 },
      "provider_port",
      "app_port and provider_port have the same port 4711",
    ],
    [
      { identity_base_url: "https://elsewhere.example" },
      { identity_app_secret: "mine" },
      "identity_base_url",
      "would get your identity_app_secret",
    ],
    [{ payment_mch_id: "1", payment_app_id: "a" }, { payment_version: "v3" }, "payment_api_v3_key", "is missing"],
  ])("with %j in the working directory's file, %j are refused", async (project, values, field, message) => {
    await using app = await startTestApp({ project });
    expect(await change(app, values)).toMatchObject({
      status: 400,
      field,
      message: expect.stringContaining(message) as string,
    });
    expect(existsSync(join(app.folder, "hearth.config.json"))).toBe(false);
  });

  it("are refused without the password of a URL", async () => {
    await using app = await startTestApp();
    const refused = await change(app, { payment_base_url: "ftp://me:hunter2@host" });
    expect(refused).toMatchObject({ status: 400, field: "payment_base_url" });
    expect(refused.message).toContain("ftp://…@host");
    expect(refused.message).not.toContain("hunter2");
  });

  it("are a port that another program has, but not one of Hearth's own, and not one that flags give", async () => {
    await using app = await startTestApp({ settings: { model_port: 4001 }, origins: { model_port: "flag" } });
    await using other = await listen((_req, res) => res.end());
    const port = Number(new URL(other.url).port);
    expect(await change(app, { app_port: port })).toMatchObject({
      status: 400,
      field: "app_port",
      message: `app_port: port ${port} is used by another program. Choose another port.`,
    });
    expect(await change(app, { app_port: port }, "zh")).toMatchObject({
      message: `app_port：端口 ${port} 已被其他程序占用，请换一个端口。`,
    });
    expect(await change(app, { provider_port: 4001 })).toMatchObject({ status: 400, field: "provider_port" });
    expect(await change(app, { host: "localhost", app_port: 0 })).toMatchObject({ status: 200 });
  });

  it("end a start in one line that names them", async () => {
    using data = temporaryFolder();
    const flags = ["--host", nobodys, "--headless", "--data-dir", data.path];
    const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
    const start = promisify(execFile)(process.execPath, [builtCommand, ...flags, ...ports], {
      env: plainEnvironment(),
    });
    const failed = await start.then(
      () => undefined,
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed?.stderr).toContain(
      `host: ${nobodys} is not an address of this machine: choose 127.0.0.1, 0.0.0.0 or one of its addresses`,
    );
    expect(failed?.stderr).not.toMatch(/data_dir|\n\s+at /);
    expect(failed?.code).not.toBe(0);
  });
});
