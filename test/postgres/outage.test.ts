/** A database that goes away while application server and simulator run, as in a crash, and comes back. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../build/docs/write-api-docs.ts";
import type { CloudEvent } from "../../server/contract/console/traffic/stored-event.ts";
import { createAdjustableClock } from "../../server/time/adjustable-clock.ts";
import { readDescription, type Operation } from "../support/app/api-description.ts";
import type { Call, DescribedServer } from "../support/app/described-call.ts";
import { send, sentType, validCall } from "../support/app/described-calls.ts";
import { noApiDocs } from "../support/app/no-api-docs.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";
import { createMerchantV2 } from "../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../support/payments/merchant-v3.ts";
import { connectTo, databaseUrl, startPostgres, type PostgresServer } from "../support/store/postgres-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const asConsole = { Authorization: `Bearer ${consoleToken}` };
const docs = temporaryFolder();
let postgres: PostgresServer;
let app: TestApp;
let session: Record<string, string>;
beforeAll(async () => {
  postgres = await startPostgres();
  {
    await using client = await connectTo(postgres.folder);
    await client.query("create database outage");
  }
  const folder = join(docs.path, "dist", "api-docs");
  await writeApiDocs(folder);
  const database_url = databaseUrl(postgres.folder, "outage");
  app = await startTestApp({
    settings: { database_url, basic_auth: true, durability: "full" },
    apiDocs: { ...noApiDocs, folder },
    clock: createAdjustableClock(), // goes on, so that what has failed is tried again
  });
  session = await app.loggedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  docs[Symbol.dispose]();
});

const article = async (title: string) => {
  const reply = await app.post(`${app.url}/api/articles`, { title }, session);
  return { status: reply.status, id: ((await reply.json()) as { data?: { id: number } }).data?.id };
};
const untilStored = () => expect.poll(async () => (await article("back")).status).toBe(201);

/** Runs `work` while the database is away. */
async function without(work: () => Promise<void>): Promise<void> {
  await postgres.down();
  try {
    await work();
  } finally {
    await postgres.up();
    await untilStored();
  }
}

const isOutage = (status: number, text: string) =>
  status === 500 && /^The database does not respond/.test(messageOf(text));
const messageOf = (text: string) => {
  const { Message, err_msg = Message } = JSON.parse(text) as { Message?: string; err_msg?: string };
  return err_msg ?? "";
};

/** What changes what the calls after it meet, and needs no database. */
const isDisturbing = ({ operationId, path }: Operation) =>
  ["setClock", "updateSettings"].includes(operationId) || /^\/console\/api\/(faults|gpu-engine)/.test(path);

describe("while the database is away", () => {
  it("every route of the application server that needs the database answers 500 and says what is wrong", async () => {
    const operations = [
      ...(await readDescription(`${app.url}/swagger/docs/v1`)),
      ...(await readDescription(`${app.url}/console/api/openapi.json`, asConsole)),
    ].filter((operation) => !isDisturbing(operation));
    const server: DescribedServer = { app, operations, session, scratch: docs.path };
    const calls: [string, Call][] = [];
    for (const operation of operations) calls.push([operation.operationId, await validCall(operation, server)]);
    await without(async () => {
      const said = new Map<string, string>();
      const failed: string[] = [];
      for (const [name, call] of calls) {
        const { status, text } = await send(call, server);
        if (isOutage(status, text)) said.set(name, text);
        else if (status === 500) failed.push(`${name}: ${text}`);
      }
      expect(failed).toEqual([]);
      expect(said.size).toBeGreaterThan(50);
      expect(JSON.parse(said.get("createArticle") ?? "{}")).toEqual({
        Message: expect.stringMatching(/^The database does not respond.*Try again/) as string,
        code: "database_unreachable",
      });
    });
  });

  it("every control route of the simulator that needs it answers 500 and says what is wrong", async () => {
    const { url } = app.provider;
    const merchant = createMerchantV2(merchantAt(url));
    await merchant.place("OUTAGE", { trade_type: "NATIVE" });
    const examples: Record<string, string> = { out_trade_no: "OUTAGE", name: "ada", id: "1", user: "ada" };
    const callOf = (operation: Operation): Call => {
      const type = sentType(operation);
      const example = type === undefined ? undefined : operation.requestBody?.content[type]?.example;
      const { method, path } = operation;
      const headers = type === undefined ? {} : { "Content-Type": type };
      const params = Object.fromEntries(
        Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => [name, examples[name] ?? "none"]),
      );
      return { method, path, params, query: "", headers, body: example };
    };
    const operations = (await readDescription(`${url}/sim/openapi.json`)).filter(({ path }) => !path.includes("check"));
    expect(operations.length).toBeGreaterThan(30);
    await without(async () => {
      const failed: string[] = [];
      let said = 0;
      for (const operation of operations) {
        const { status, text } = await send(callOf(operation), { app: { url } });
        if (isOutage(status, text)) said++;
        else if (status >= 500) failed.push(`${operation.operationId}: ${String(status)} ${text}`);
      }
      expect(failed).toEqual([]);
      expect(said).toBeGreaterThan(15);
    });
  });

  it("the platform's own APIs answer each in its own shape, never as if something had been done", async () => {
    const { url } = app.provider;
    const [v2, v3] = [createMerchantV2(merchantAt(url)), await createMerchantV3(url)];
    await v2.place("SHAPES", {});
    await without(async () => {
      const { fields, status } = await v2.query("SHAPES");
      expect([status, fields["return_code"]]).toEqual([200, "FAIL"]);
      const placed = await v3.place("native", "SHAPES_V3");
      expect([placed.status, (placed.json as { code: string }).code]).toEqual([500, "SYSTEM_ERROR"]);
      const { app_id, app_secret } = app.provider.credentials;
      const token = await fetch(
        `${url}/cgi-bin/token?grant_type=client_credential&appid=${app_id}&secret=${app_secret}`,
      );
      expect([token.status, ((await token.json()) as { errcode: number }).errcode]).toEqual([500, -1]);
    });
    expect((await v2.query("SHAPES")).fields["trade_state"]).toBe("NOTPAY");
  });
});

/** As far as a merchant needs it. */
const merchantAt = (url: string) =>
  ({
    url,
    app: { appid: app.provider.credentials.app_id },
    control: async (method: string, path: string) => (await fetch(`${url}/sim${path}`, { method })).json(),
  }) as Parameters<typeof createMerchantV2>[0];

describe("a database that goes away and comes back under load", () => {
  it("has everything that was acknowledged, and nothing needs a restart", async () => {
    const acknowledged: number[] = [];
    const statuses: number[] = [];
    let isOver = false;
    const clients = Array.from({ length: 6 }, async (_, client) => {
      for (let n = 0; !isOver; n++) {
        const { status, id } = await article(`${String(client)}-${String(n)}`);
        statuses.push(status);
        if (status === 201) acknowledged.push(id ?? 0);
      }
    });
    const refused = () => statuses.filter((status) => status === 500).length;
    for (let round = 0; round < 2; round++) {
      const [stored, before] = [acknowledged.length, refused()];
      await expect.poll(() => acknowledged.length).toBeGreaterThan(stored + 20);
      await postgres.down();
      await expect.poll(refused).toBeGreaterThan(before);
      await postgres.up();
    }
    const stored = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(stored + 20);
    isOver = true;
    await Promise.all(clients);
    expect([...new Set(statuses)].sort()).toEqual([201, 500]);
    const { rows } = await (async () => {
      await using client = await connectTo(postgres.folder, "outage");
      return await client.query<{ id: string }>("select id from hearth.records where collection = 'articles'");
    })();
    const found = new Set(rows.map(({ id }) => Number(id)));
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
  });

  it("leaves no payment untold and none settled twice", async () => {
    const { url } = app.provider;
    await fetch(`${url}/sim/settings`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ timeScale: 0.01 }),
    });
    /** An instance may need a second to hold orders again after the outage before. */
    const place = (amount: number) =>
      eventually(async () => {
        const reply = await app.post(`${app.url}/api/orders`, { description: "Tea", amount }, session);
        const text = await reply.text();
        if (reply.status !== 201) throw new Error(text);
        return (JSON.parse(text) as { data: { id: number; out_trade_no: string } }).data;
      });
    const orders: Awaited<ReturnType<typeof place>>[] = [];
    for (let n = 0; n < 12; n++) orders.push(await place(100 + n));
    const pay = (out_trade_no: string) =>
      expect
        .poll(async () => (await fetch(`${url}/sim/orders/${out_trade_no}/pay`, { method: "POST" })).status)
        .not.toBe(500);
    for (const some of [orders.slice(0, 6), orders.slice(6)]) {
      const paying = Promise.all(some.map(({ out_trade_no }) => pay(out_trade_no)));
      await postgres.down();
      await postgres.up();
      await paying;
    }
    const stateOf = async (id: number) => {
      const reply = await fetch(`${app.url}/console/api/orders/${String(id)}`, { headers: asConsole });
      return ((await reply.json()) as { trade_state?: string }).trade_state;
    };
    await expect
      .poll(async () => new Set(await Promise.all(orders.map(({ id }) => stateOf(id)))))
      .toEqual(new Set(["SUCCESS"]));
    const reply = await fetch(`${app.url}/console/api/events?type=payment.settled&limit=100`, { headers: asConsole });
    const { events } = (await reply.json()) as { events: CloudEvent[] };
    const settled = events.map(({ subject }) => subject).filter((one) => orders.some((o) => o.out_trade_no === one));
    expect(settled.sort()).toEqual(orders.map(({ out_trade_no }) => out_trade_no).sort());
  });
});
