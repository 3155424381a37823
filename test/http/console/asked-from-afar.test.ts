/** Requests that the services send for somebody on another machine: never to where that one could not go himself. */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOutgoingRequests } from "../../../server/http/outgoing/outgoing-requests.ts";
import { createTargets } from "../../../server/http/outgoing/targets.ts";
import { makeCertificate } from "../../../server/provider/payments/keys/make-certificate.ts";
import { appFromAfar } from "../../support/app/app-from-afar.ts";
import { consoleToken } from "../../support/app/console-token.ts";
import { listen } from "../../support/process/listen.ts";
import { listenFrom } from "../../support/process/listen-from.ts";
import { createMerchantV2 } from "../../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { recordedCalls } from "../../support/app/recorded-calls.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

const phone = "192.168.77.20";
const withToken = { Authorization: `Bearer ${consoleToken}`, "Content-Type": "application/json" };

interface Told {
  readonly notifications: readonly { readonly attempts: readonly { verdict: string; reason?: string }[] }[];
}

/** What became of the first attempt to tell of an order, once there was one. */
async function attemptOf(provider: TestProvider, number: string) {
  const attempts = async () => {
    const { notifications } = (await provider.control("GET", `/orders/${number}`)) as unknown as Told;
    return notifications.flatMap((one) => one.attempts);
  };
  await expect.poll(async () => (await attempts()).length).toBeGreaterThan(0);
  return (await attempts())[0];
}

const refused = { verdict: "connection_failed", reason: expect.stringContaining("allowed_targets") };

describe("a notify URL", () => {
  let provider: TestProvider;
  let receiver: Awaited<ReturnType<typeof notificationReceiver>>;
  let door: Awaited<ReturnType<typeof listenFrom>>;
  beforeAll(async () => {
    provider = await startTestProvider();
    receiver = await notificationReceiver();
    door = await listenFrom(provider.server, phone);
  });
  afterAll(async () => {
    await door[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  const notifyUrl = (path: string) => `${receiver.url}${path}`;
  const pay = (number: string) => provider.control("POST", `/orders/${number}/pay`);
  const pathsSeen = () => receiver.received.map(({ path }) => path);

  it("of an order placed on this machine may be any address", async () => {
    await createMerchantV2(provider).place("HERE_1", { notify_url: notifyUrl("/here") });
    await pay("HERE_1");
    expect((await receiver.at("/here")).body).toContain("HERE_1");
  });

  it.each([
    ["by another machine", async () => createMerchantV2({ ...provider, url: door.url }), {}],
    ["by who is passed on", async () => createMerchantV2(provider), { headers: { "X-Forwarded-For": "127.0.0.1" } }],
    [
      "by a device of the local network",
      async () => createMerchantV2(provider),
      { headers: { "X-Hearth-Passed-On": `${consoleToken} ${phone}` } },
    ],
  ] as const)("of an order placed %s does not go to this one", async (who, merchant, sent) => {
    const number = `AFAR_${who.length}`;
    await (await merchant()).place(number, { notify_url: notifyUrl(`/${number}`) }, sent);
    await pay(number);
    expect(await attemptOf(provider, number)).toMatchObject(refused);
    expect(pathsSeen()).not.toContain(`/${number}`);
  });

  it("in version 3, and of a refund, does not either", async () => {
    const merchant = await createMerchantV3(provider.url);
    const headers = { "X-Forwarded-For": "203.0.113.9" };
    const placed = merchant.order("AFAR_V3", { notify_url: notifyUrl("/v3") });
    await merchant.call("POST", "/v3/pay/transactions/app", placed, { headers });
    await pay("AFAR_V3");
    expect(await attemptOf(provider, "AFAR_V3")).toMatchObject(refused);
    await merchant.place("app", "REFUNDED_V3");
    await pay("REFUNDED_V3");
    const refund = {
      out_trade_no: "REFUNDED_V3",
      out_refund_no: "R1",
      amount: { refund: 1, total: 101, currency: "CNY" },
      notify_url: notifyUrl("/refund"),
    };
    await merchant.call("POST", "/v3/refund/domestic/refunds", refund, { headers });
    provider.clock.offsetMs += 1_000;
    const told = async () => (await provider.control("GET", "/orders/REFUNDED_V3")) as unknown as Told;
    const attempts = async () => (await told()).notifications.flatMap((one) => one.attempts);
    await expect.poll(attempts).toContainEqual(expect.objectContaining(refused));
    expect(pathsSeen()).not.toContain("/v3");
    expect(pathsSeen()).not.toContain("/refund");
  });

  it("goes nowhere else after a restart, nor when it is sent again, nor out of a state that was sent in", async () => {
    await using own = await startTestProvider();
    await using there = await notificationReceiver();
    {
      await using away = await listenFrom(own.server, phone);
      await createMerchantV2({ ...own, url: away.url }).place("KEPT_1", { notify_url: `${there.url}/kept` });
    }
    await own.restart();
    await own.control("POST", "/orders/KEPT_1/pay");
    expect(await attemptOf(own, "KEPT_1")).toMatchObject(refused);
    await own.control("POST", "/orders/KEPT_1/notify");
    await own.control("POST", "/orders/KEPT_1/notifications", { kind: "genuine", params: {} });

    await createMerchantV2(own).place("SENT_IN_1", { notify_url: `${there.url}/sent-in` });
    const state = JSON.stringify(await own.control("GET", "/state"));
    await using away = await listenFrom(own.server, phone);
    const sent = await fetch(`${away.url}/sim/state`, { method: "PUT", headers: withToken, body: state });
    expect(sent.status).toBe(200);
    await own.control("POST", "/orders/SENT_IN_1/pay");
    expect(await attemptOf(own, "SENT_IN_1")).toMatchObject(refused);
    expect(there.received).toEqual([]);
  });

  it("goes to what the setting allowed_targets names", async () => {
    await using own = await startTestProvider({ allowed_targets: ["127.0.0.1"] });
    await using away = await listenFrom(own.server, phone);
    await createMerchantV2({ ...own, url: away.url }).place("ALLOWED_1", { notify_url: notifyUrl("/allowed") });
    await own.control("POST", "/orders/ALLOWED_1/pay");
    expect((await receiver.at("/allowed")).body).toContain("ALLOWED_1");
  });
});

describe("a check of a receiver", () => {
  it("is not begun for somebody on another machine where the receiver is on this one", async () => {
    await using provider = await startTestProvider();
    await using door = await listenFrom(provider.server, phone);
    const start = (input: object) =>
      fetch(`${door.url}/sim/receiver-checks`, { method: "POST", headers: withToken, body: JSON.stringify(input) });
    const orders = { from: "simulator" };
    for (const input of [
      { notify_url: "http://127.0.0.1:9/pay", orders },
      { notify_url: "http://localhost:9/pay", orders },
      { notify_url: "http://8.8.8.8/pay", refund_notify_url: "http://[::1]:9/refund", orders },
    ]) {
      const reply = await start(input);
      expect([reply.status, await reply.json()]).toEqual([
        403,
        expect.objectContaining({ code: "target_refused", Message: expect.stringContaining("allowed_targets") }),
      ]);
    }
  });

  it("asks no backend on this machine for him, not by a redirect either, and does not tell him what one says", async () => {
    await using provider = await startTestProvider({ allowed_targets: ["127.0.0.1"] });
    const asked: string[] = [];
    await using backend = await listen((req, res) => {
      asked.push(req.url ?? "");
      if (req.url === "/redirect") res.writeHead(307, { Location: `http://127.0.0.2:${String(backend.port)}/inside` });
      else res.writeHead(500);
      res.end("the innards of a service");
    });
    await using door = await listenFrom(provider.server, phone);
    const problemAt = async (url: string, headers: object = withToken, at = door.url) => {
      const started = await fetch(`${at}/sim/receiver-checks`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json", Accept: "application/x-ndjson" },
        body: JSON.stringify({ notify_url: backend.url, orders: { from: "backend", url } }),
      });
      const lines = (await started.text()).trim().split("\n");
      return (JSON.parse(lines.at(-1) ?? "{}") as { check: { problem: string } }).check.problem;
    };
    expect(await problemAt(`${backend.url}/error`)).toMatch(/place an order: HTTP 500$/);
    expect(await problemAt(`${backend.url}/redirect`)).toMatch(/127\.0\.0\.2 is not called.*allowed_targets/);
    expect(await problemAt("http://[::1]:9/")).toMatch(/allowed_targets/);
    expect(await problemAt(`${backend.url}/error`, {}, provider.url)).toMatch(/HTTP 500: the innards/);
    expect(asked).toEqual(["/error", "/redirect", "/error"]);
  });
});

describe("the console from another machine", () => {
  const { app, door } = appFromAfar(phone);
  const { awaited } = recordedCalls(app);
  const call = (method: string, path: string, body: unknown, at = door().url) =>
    fetch(`${at}/console/api${path}`, { method, headers: withToken, body: JSON.stringify(body) });

  it("has no receiver on this machine checked, through neither the simulator's API nor a request that it sends", async () => {
    const input = { notify_url: "http://127.0.0.1:9/pay", orders: { from: "simulator" } };
    expect((await call("POST", "/provider/sim/receiver-checks", input)).status).toBe(403);
    const sent = { service: "provider", method: "POST", path: "/sim/receiver-checks", body: input };
    const { status } = (await (await call("POST", "/requests", sent)).json()) as { status: number };
    expect(status).toBe(403);
    expect((await call("POST", "/provider/sim/receiver-checks", input, app().url)).status).toBe(201);
  });

  it("replays what was sent on this machine for itself, and this machine replays it for this machine", async () => {
    const input = { notify_url: "http://127.0.0.1:9/pay", orders: { from: "simulator" } };
    await app().post(`${app().provider.url}/sim/receiver-checks?mark=1`, input, {
      "X-Forwarded-For": phone,
      ...withToken,
    });
    const { id } = await awaited("path=/sim/receiver-checks&service=provider");
    const replay = async (at: string) => {
      const reply = await call("POST", `/requests/${String(id)}/replays`, {}, at);
      return ((await reply.json()) as { status: number }).status;
    };
    expect(await replay(door().url)).toBe(403);
    expect([201, 409]).toContain(await replay(app().url));
  });
});

describe("an encrypted request", () => {
  const address = { address: "127.0.0.1", family: 4 };
  const begin = async (found: { address: string; family: number }[]) => {
    const { privateKey, publicPart } = await makeCertificate("shop.example", Date.now());
    const server = createServer({ key: privateKey, cert: publicPart }, (_req, res) => res.end("encrypted"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    let asked = 0;
    const targets = createTargets(["127.0.0.1"], async () => {
      asked++;
      return found;
    });
    const outgoing = createOutgoingRequests({ targets, takesOwnCertificates: true });
    const url = new URL(`https://shop.example:${String((server.address() as AddressInfo).port)}/`);
    try {
      const request = await outgoing.begin({ address: phone }, url, {});
      request.end();
      const [response] = await once(request, "response");
      response.resume();
      return { status: response.statusCode as number, asked };
    } finally {
      outgoing.destroy();
      server.closeAllConnections();
      server.close();
    }
  };

  it("accepts a self-signed certificate from a private address, whose name is resolved once", async () => {
    expect(await begin([address])).toEqual({ status: 200, asked: 1 });
  });

  it("does not where the name has a public address", async () => {
    await expect(begin([address, { address: "8.8.8.8", family: 4 }])).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
  });
});
