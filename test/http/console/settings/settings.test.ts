/** The settings over the console's API, and the configuration file that they are written to. */
import { existsSync, readFileSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { updateSettings, type SettingsPage } from "../../../../server/contract/console/setting-endpoints.ts";
import { settingsSchema } from "../../../../server/contract/process/settings.ts";
import { launchHearth } from "../../../support/process/launch.ts";
import { named } from "../../../support/app/named-setting.ts";
import { pageCall } from "../../../support/app/page-call.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { authorized } from "../../../support/app/user-files.ts";

type Refusal = { Message: string; details: { field: string }[] };

const list = async (app: TestApp) =>
  (await (await fetch(`${app.url}/console/api/settings`, { headers: authorized })).json()) as SettingsPage;

async function change(app: TestApp, values: object, language = "en") {
  const reply = await fetch(`${app.url}/console/api/settings`, {
    method: "PATCH",
    headers: { ...authorized, "content-type": "application/json", "accept-language": language },
    body: JSON.stringify({ values }),
  });
  return { status: reply.status, body: (await reply.json()) as SettingsPage & Refusal };
}

it("GET /console/api/settings lists every setting with its meaning, its default, its value and the value's origin", async () => {
  await using app = await startTestApp({
    settings: { session_ttl_seconds: 60, json_indent: 2 },
    origins: { session_ttl_seconds: "flag", json_indent: "environment" },
  });
  const page = await list(app);
  expect(page.settings.map(({ name }) => name)).toEqual(Object.keys(settingsSchema.shape));
  expect(page.settings.filter(({ description }) => description.length < 10)).toEqual([]);
  expect(named(page, "session_ttl_seconds")).toMatchObject({
    type: "number",
    default: 7200,
    value: 60,
    source: "flag",
    flag: "--session-ttl-seconds",
    variable: "HEARTH_SESSION_TTL_SECONDS",
    pending: false,
  });
  expect(named(page, "json_indent")).toMatchObject({ value: 2, source: "environment" });
  expect(named(page, "query_normalization")).toMatchObject({ type: "choice", choices: ["301", "302", "307", "off"] });
  expect(named(page, "cors_origins")).toMatchObject({ type: "list", value: ["loopback"], source: "default" });
  expect(named(page, "basic_auth")).toMatchObject({ type: "switch", value: false, is_set: false });
});

it("a changed setting is written into the file, for its owner alone, and takes effect at the next start", async () => {
  await using app = await startTestApp();
  const { status, body } = await change(app, { session_ttl_seconds: 90, cors_origins: ["https://a.example"] });
  expect(status).toBe(200);
  expect(named(body, "session_ttl_seconds")).toMatchObject({ pending: true, value: 7200, next_value: 90 });
  expect(JSON.parse(readFileSync(body.file, "utf8"))).toEqual({
    session_ttl_seconds: 90,
    cors_origins: ["https://a.example"],
  });
  expect(statSync(body.file).mode & 0o777).toBe(0o600);
  const back = await change(app, { session_ttl_seconds: null });
  expect(named(back.body, "session_ttl_seconds")).toMatchObject({ pending: false, value: 7200 });
  expect(JSON.parse(readFileSync(body.file, "utf8"))).toEqual({ cors_origins: ["https://a.example"] });
});

it("changes at the same time are all written", async () => {
  await using app = await startTestApp();
  const values = { host: "localhost", json_indent: 4, session_ttl_seconds: 90, raffle_draw_ms: 7, record_limit: 9 };
  await Promise.all(Object.keys(values).map(() => list(app))); // connects, so that the changes arrive together
  const answers = await Promise.all(Object.entries(values).map(([name, value]) => change(app, { [name]: value })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(JSON.parse(readFileSync((await list(app)).file, "utf8"))).toEqual(values);
});

it.skipIf(process.platform === "win32")(
  "a file of settings that is a link stays one: what it leads to is changed",
  async () => {
    await using app = await startTestApp();
    const { file } = await list(app);
    const target = join(dirname(file), "my-settings.json");
    writeFileSync(target, "{}");
    symlinkSync("my-settings.json", file);
    expect(await change(app, { json_indent: 4 })).toMatchObject({ status: 200 });
    expect(readlinkSync(file)).toBe("my-settings.json");
    expect(JSON.parse(readFileSync(target, "utf8"))).toEqual({ json_indent: 4 });
  },
);

it("an origin that no browser sends is refused with the one to write instead, in the reader's language", async () => {
  await using app = await startTestApp();
  for (const [language, message] of [
    ["en", "an origin such as https://a.example is required, not https://a.example/)"],
    ["zh", "需要如 https://a.example 的来源，而不是 https://a.example/）"],
  ] as const) {
    const { status, body } = await change(app, { cors_origins: ["https://a.example/"] }, language);
    expect([status, body.details[0]?.field]).toEqual([400, "cors_origins"]);
    expect(body.Message).toContain(message);
  }
});

it("a pending secret is not shown, nor is the password of a pending address", async () => {
  await using app = await startTestApp();
  const { file } = await list(app);
  const written = { identity_app_secret: "opensesame", database_url: "postgres://me:hunter2@db.example/hearth" };
  writeFileSync(file, JSON.stringify(written));
  const page = await list(app);
  expect(JSON.stringify(page)).not.toMatch(/opensesame|hunter2/);
  expect(named(page, "identity_app_secret")).toMatchObject({ pending: true });
  expect(named(page, "database_url")).toMatchObject({ next_value: "postgres://me@db.example/hearth" });
});

it("a secret setting can be written and is never shown", async () => {
  await using app = await startTestApp({
    settings: { identity_app_secret: "the-secret-of-the-run" },
    origins: { identity_app_secret: "environment" },
  });
  const { body } = await change(app, { registry_auth: "registry.example=ada:opensesame" });
  const text = JSON.stringify(body) + JSON.stringify(await list(app));
  expect(text).not.toMatch(/opensesame|the-secret-of-the-run/);
  expect(named(body, "identity_app_secret")).toMatchObject({ secret: true, is_set: true });
  expect(named(body, "identity_app_secret")).not.toHaveProperty("value");
  const refused = await change(app, { payment_api_v2_key: "too-short-a-key" });
  expect([refused.status, refused.body.Message]).toEqual([400, expect.not.stringContaining("too-short-a-key")]);
});

it.each([
  [{ app_port: 70_000 }, "app_port"],
  [{ log_level: "loud" }, "log_level"],
  [{ no_such_thing: 1 }, "no_such_thing"],
  [{ data_dir: "/elsewhere" }, "data_dir"],
  [{ payment_mch_id: "1900000109" }, "payment_app_id"],
])("a change of settings to %j is refused with the setting's name, and nothing is written", async (values, field) => {
  await using app = await startTestApp();
  const { status, body } = await change(app, { json_indent: 2, ...values });
  expect([status, body.details[0]?.field]).toEqual([400, field]);
  expect(body.Message).toContain(field);
  const onPage = pageCall(app)(updateSettings, { body: { values } });
  await expect(onPage).rejects.toMatchObject({ status: 400, field, message: body.Message });
  expect(existsSync((await list(app)).file)).toBe(false);
});

it("a changed setting is written into the data directory, overrides the working directory's file and shows its origin", async () => {
  using folder = temporaryFolder();
  writeFileSync(
    join(folder.path, "hearth.config.json"),
    JSON.stringify({ json_indent: 3, raffle_draw_ms: 5, cors_origins: ["loopback", "https://a.example"] }),
  );
  await using hearth = launchHearth({ cwd: folder.path });
  const { app, console: address } = await hearth.ready();
  const authorization = `Bearer ${new URL(address).searchParams.get("token") ?? ""}`;
  const settings = (init: RequestInit = {}) =>
    fetch(`${app}/console/api/settings`, {
      ...init,
      headers: { authorization, "content-type": "application/json" },
    }).then((reply) => reply.json() as Promise<SettingsPage>);
  const page = await settings();
  expect(page.file).toBe(join(dirname(hearth.readyFile), "data", "hearth.config.json"));
  expect(named(page, "json_indent")).toMatchObject({ value: 3, source: "project", pending: false });
  await hearth.prints(/hearth[.]config[.]json sets addresses: cors_origins https:\/\/a[.]example\n/);
  const changed = await settings({ method: "PATCH", body: JSON.stringify({ values: { json_indent: 4 } }) });
  expect(named(changed, "json_indent")).toMatchObject({ pending: true });
  expect(JSON.parse(readFileSync(page.file, "utf8"))).toEqual({ json_indent: 4 });
});

it("a removed setting is what the working directory's file says from then on", async () => {
  await using app = await startTestApp({
    settings: { maintenance: true },
    origins: { maintenance: "file" },
    project: { maintenance: false, session_ttl_seconds: 100 },
  });
  await change(app, { maintenance: true, session_ttl_seconds: 200 });
  const restart = () => app.post(`${app.url}/console/api/settings/restarts`, {}, authorized);
  await restart();
  expect(named(await list(app), "session_ttl_seconds")).toMatchObject({ value: 200, source: "file" });
  const { body } = await change(app, { maintenance: null, session_ttl_seconds: null });
  expect(named(body, "maintenance")).toMatchObject({ value: false, source: "project" });
  expect(named(body, "session_ttl_seconds")).toMatchObject({ pending: true, value: 200, next_value: 100 });
  await restart();
  const project = { value: 100, source: "project", pending: false };
  expect(named(await list(app), "session_ttl_seconds")).toMatchObject(project);
});

it("a setting that a working directory's data directory must not contain is not written", async () => {
  await using app = await startTestApp({ restrictedTo: "/no/such/folder" });
  const refused = await change(app, { host: "0.0.0.0" });
  expect([refused.status, refused.body.details[0]?.field]).toEqual([400, "host"]);
  expect((await change(app, { json_indent: 2 })).status).toBe(200);
});

it("a changed setting is applied at the next start, with file, environment and flags as distinct origins", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "hearth.config.json"), JSON.stringify({ json_indent: 3, session_ttl_seconds: 77 }));
  await using hearth = launchHearth({
    dataDir: folder.path,
    flags: ["--session-ttl-seconds", "88"],
    env: { HEARTH_RAFFLE_DRAW_MS: "5" },
  });
  const { app, console: address } = await hearth.ready();
  const authorization = `Bearer ${new URL(address).searchParams.get("token") ?? ""}`;
  const reply = await fetch(`${app}/console/api/settings`, { headers: { authorization } });
  const page = (await reply.json()) as SettingsPage;
  expect(page.file).toBe(join(folder.path, "hearth.config.json"));
  expect(named(page, "json_indent")).toMatchObject({ value: 3, source: "file", pending: false });
  expect(named(page, "session_ttl_seconds")).toMatchObject({ value: 88, source: "flag" });
  expect(named(page, "raffle_draw_ms")).toMatchObject({ value: 5, source: "environment" });
  expect(named(page, "log_level")).toMatchObject({ value: "info", source: "default" });
});

it("maintenance takes effect when it is written, and again when it is taken back", async () => {
  await using app = await startTestApp();
  const status = async () => (await fetch(`${app.url}/api/articles`)).status;
  expect(await status()).toBe(401);
  const { body } = await change(app, { maintenance: true });
  expect(named(body, "maintenance")).toMatchObject({ value: true, source: "file", pending: false });
  expect(await status()).toBe(503);
  await change(app, { maintenance: null });
  expect(await status()).toBe(401);
});

it("POST /console/api/settings/restarts restarts the services that use pending settings, with those settings", async () => {
  await using app = await startTestApp();
  const restart = async () =>
    (await fetch(`${app.url}/console/api/settings/restarts`, { method: "POST", headers: authorized })).json();
  expect(await restart()).toEqual({ services: [] });
  await change(app, { undeclared_members: "open", log_level: "debug", routes_file: "routes/mine.json" });
  expect(await restart()).toEqual({ services: ["model"] });
  const page = await list(app);
  expect(["undeclared_members", "log_level"].map((name) => named(page, name)?.pending)).toEqual([false, true]);
  await expect
    .poll(() => app.restarts)
    .toEqual([
      expect.objectContaining({ service: "model", settings: expect.objectContaining({ origins: expect.anything() }) }),
    ]);
  await change(app, { cors_origins: [] });
  expect(await restart()).toEqual({ services: ["model", "app"] });
  await change(app, { stand_in_port: 0 });
  expect(await restart()).toEqual({ services: ["app"] });
});

it("a file of settings that is no JSON is named with its mistake, and stays as it is", async () => {
  await using app = await startTestApp();
  const { file } = await list(app);
  writeFileSync(file, '{"json_indent": 2,}');
  const told = { status: 409, body: { Message: expect.stringContaining(`${file}: it is not valid JSON`) } };
  expect(await change(app, { json_indent: 4 })).toMatchObject(told);
  const reply = await fetch(`${app.url}/console/api/settings`, { headers: authorized });
  expect({ status: reply.status, body: await reply.json() }).toMatchObject(told);
  expect(readFileSync(file, "utf8")).toBe('{"json_indent": 2,}');
});
