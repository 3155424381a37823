/** A buyer's phone in the local network: the link to pay by leads where the phone reaches the simulator. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { callFrom, lanAddress, lanControl } from "../../support/app/lan-caller.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";

let payments: PaymentsApp;
beforeAll(async () => {
  payments = await startPaymentsApp();
});
afterAll(() => payments[Symbol.asyncDispose]());

const linkOf = async () => new URL(String((await payments.create({ trade_type: "MWEB" })).body.data.pay?.["mweb_url"]));

it("gives a phone a link that it can open, as long as devices are let in", async () => {
  const { app } = payments;
  const { port, hostname } = new URL(app.provider.url);
  expect((await linkOf()).hostname).toBe(hostname);

  await lanControl(app.url, "PATCH", "", { enabled: true, services: ["app", "provider"], everyone: true });
  await expect.poll(async () => (await linkOf()).host).toBe(`${lanAddress}:${port}`);
  const { pathname, search } = await linkOf();
  const page = await callFrom({ port: Number(port), path: pathname + search });
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);

  await lanControl(app.url, "PATCH", "", { enabled: true, services: ["app"], everyone: true });
  await expect.poll(async () => (await linkOf()).hostname).toBe(hostname);
});
