/**
 * GET never writes: a link, an image of another site or a crawler must change nothing. Every GET route of the three services
 * is asked, of things that are there and of things that are not, and what lies on the disk is compared before and after.
 * The provider's own API apart, which hands out tokens and redeems codes by GET because the real one does.
 */
import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../../build/docs/write-api-docs.ts";
import { readDescription, type Operation } from "../../support/app/api-description.ts";
import type { DescribedServer } from "../../support/app/described-call.ts";
import { send, validCall } from "../../support/app/described-calls.ts";
import { createMerchantV2 } from "../../support/payments/merchant-v2.ts";
import { startRulesService } from "../../support/model/model-service.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { simEndpoints } from "../../support/payments/sim-endpoints.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";
import { openTables } from "../../support/store/stored-tables.ts";

/** All rows of all tables, in an order of their own. */
async function rowsOf(folder: string, service: "app" | "provider"): Promise<Record<string, unknown[]>> {
  await using tables = await openTables(folder, service);
  const rows: Record<string, unknown[]> = {};
  for (const name of await tables.names())
    rows[name] = (await tables.all(`select * from "${name}"`)).sort((a, b) =>
      JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
    );
  return rows;
}

/** Hashes of all files but those of databases, by name. */
const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.db(-wal|-shm)?$/.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path, createHash("sha256").update(readFileSync(path)).digest("hex")]),
  );

const contentOf = async (folder: string, ...services: readonly ("app" | "provider")[]) => ({
  databases: await Promise.all(services.map((service) => rowsOf(folder, service))),
  files: filesOf(folder),
});

const sources = join(import.meta.dirname, "../../../server");
const sourcesOf = (pattern: string) =>
  globSync(pattern, { cwd: sources }).map((file) => readFileSync(join(sources, file), "utf8"));

describe("the application server", () => {
  const docs = temporaryFolder();
  let app: TestApp;
  let operations: Operation[];
  let session: Record<string, string>;
  beforeAll(async () => {
    const folder = join(docs.path, "dist", "api-docs");
    await writeApiDocs(folder);
    app = await startTestApp({ settings: { record_requests: true }, apiDocs: { folder } });
    session = await app.loggedIn();
    operations = [
      ...(await readDescription(`${app.url}/swagger/docs/v1`)),
      ...(await readDescription(`${app.url}/console/api/openapi.json`, { Authorization: `Bearer ${consoleToken}` })),
    ];
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    docs[Symbol.dispose]();
  });

  /** An order is asked for at the provider, which alone knows what became of it (spec: Payment notification 3). */
  const asksTheProvider = new Set(["getOrder"]);

  it("writes nothing for any GET or HEAD of its descriptions", async () => {
    const server: DescribedServer = { app, operations, session, scratch: docs.path };
    const reads = operations.filter(({ method, operationId }) => method === "GET" && !asksTheProvider.has(operationId));
    expect(reads.length).toBeGreaterThan(40);
    const calls = [];
    for (const read of reads) calls.push(await validCall(read, server));
    const { pay_orders: orders = [] } = await rowsOf(app.folder, "provider");
    // A look at an order has the calls about it written down that wait to be.
    for (const { out_trade_no: number } of orders as { out_trade_no: string }[])
      await (await fetch(`${app.provider.url}/sim/orders/${number}`)).text();
    // The simulator makes its keys in the background; who asks for them waits.
    await (await fetch(`${app.provider.url}/sim/credentials`)).text();
    const before = await contentOf(app.folder, "app", "provider");
    for (const call of calls)
      for (const method of ["GET", "HEAD", "OPTIONS"]) {
        const { status } = await send({ ...call, method }, server);
        expect(status, `${method} ${call.path}`).toBeLessThan(400);
      }
    for (const path of ["/", "/swagger", "/console/", "/console/client.js", "/avatars/none", "/healthz", "/none"])
      for (const url of [app.url, app.consoleUrl]) await (await fetch(`${url}${path}`, { redirect: "manual" })).text();
    expect(await contentOf(app.folder, "app", "provider")).toEqual(before);
  });
});

/** The kinds of keys that a simulator has written. It makes them a moment after its start, without a request. */
const keyKinds = async ({ folder }: TestProvider) =>
  ((await rowsOf(folder, "provider"))["sim_keys"] as { kind: string }[]).map(({ kind }) => kind).sort();
const hasKeys = (provider: TestProvider, ...kinds: string[]) => expect.poll(() => keyKinds(provider)).toEqual(kinds);

describe("the simulator", () => {
  it("writes nothing for any GET of its control routes and pages", async () => {
    await using provider = await startTestProvider();
    await provider.login("ada");
    await createMerchantV2(provider).place("READ_ONLY_1", { trade_type: "NATIVE" });
    await provider.control("PUT", "/merchants/1900000999", {
      app_ids: ["wxreadonly"],
      api_v2_key: "k".repeat(32),
      api_v3_key: "k".repeat(32),
    });
    const { order } = (await provider.control("GET", "/orders/READ_ONLY_1")) as { order: { prepay_id: string } };
    const params: Record<string, readonly string[]> = {
      name: ["ada", "nobody-yet"],
      out_trade_no: ["READ_ONLY_1", "READ_ONLY_9"],
      prepay_id: [order.prepay_id, "wxnone"],
      id: ["1"],
    };
    const read = simEndpoints.filter(({ method }) => method === "GET");
    expect(read.length).toBeGreaterThan(15);
    const paths = read.flatMap(({ path }) => {
      const [whole, name] = /\{(\w+)\}/.exec(path) ?? [];
      return whole === undefined ? [path] : (params[name ?? ""] ?? []).map((value) => path.replace(whole, value));
    });
    const asked = [...paths, "/sim/credentials?mch_id=1900000999", `/pay/h5?prepay_id=${order.prepay_id}`];
    // Alipay's keys are made when somebody first asks for them.
    await provider.control("GET", "/alipay/credentials");
    await hasKeys(
      provider,
      ...["alipay_merchant", "alipay_platform", "alipay_root"],
      ...["certificate", "merchant", "merchant"],
    );
    await provider.restart(); // what waits to be written is written then
    const before = await contentOf(provider.folder, "provider");
    for (const path of asked)
      for (const method of ["GET", "HEAD", "OPTIONS"]) {
        const reply = await fetch(`${provider.url}${path}`, { method });
        expect([200, 404], `${method} ${path}`).toContain(reply.status);
        if (reply.headers.get("content-type")?.startsWith("text/event-stream")) await reply.body?.cancel();
        else await reply.text();
      }
    await provider.restart();
    expect(await contentOf(provider.folder, "provider")).toEqual(before);
  });

  it("makes its keys soon after the start, and shows a person by name without creating anybody", async () => {
    await using provider = await startTestProvider();
    const shown = await provider.control("GET", "/users/ada");
    expect(await provider.control("GET", "/users/ada")).toEqual(shown);
    expect(await provider.control("GET", "/users/ada/settings")).toMatchObject({ userInfo: null });
    expect(await provider.control("GET", "/users")).toEqual([]);
    await hasKeys(provider, "certificate", "merchant");
    await provider.login("ada");
    expect(await provider.control("GET", "/users")).toEqual([{ ...shown, session_key_id: expect.any(String) }]);
  });
});

describe("the model service", () => {
  it("writes nothing for any GET", async () => {
    await using service = await startRulesService({ a: { rules: [{ text: "Hello" }] } });
    const written = sourcesOf("model/{*,wire/**/*}.ts").flatMap((text) =>
      [...text.matchAll(/"(\/[^"]*)": (?:\{[^}]*\bGET:|models\()/g)].map(([, path = ""]) =>
        path.replace("{model*}", "a"),
      ),
    );
    expect(written.length).toBeGreaterThan(6);
    const before = await contentOf(service.modelsDir);
    for (const path of written)
      for (const method of ["GET", "HEAD"]) await (await service.get(path, { method })).text();
    expect(await contentOf(service.modelsDir)).toEqual(before);
  });
});
