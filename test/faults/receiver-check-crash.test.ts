import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { newCheckPerson } from "../../server/contract/provider/internal-people.ts";
import { ownReceiverCheck } from "../../server/contract/provider/checks/own-receiver-check.ts";
import { forkApp, type ForkedApp } from "../support/process/forked-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Lengths of the lists that a check adds to: orders and users of the application server and of the platform. */
async function counts(app: ForkedApp): Promise<number[]> {
  const read = async (path: string) => (await (await app.console(path)).json()) as Record<string, unknown[]>;
  const [orders, users, placed, people] = await Promise.all(
    ["/orders", "/users", "/provider/sim/orders", "/provider/sim/users"].map(read),
  );
  return [orders?.["orders"], users?.["users"], placed?.["orders"], people].map((list) => Number(list?.length));
}

it("a start removes the orders, the user and the person that a killed receiver check has left, and nothing else", async () => {
  using folder = temporaryFolder();
  {
    await using app = await forkApp(folder.path);
    await app.logIn();
    const post = async (path: string, body: unknown) =>
      (await app.console(path, { method: "POST", body: JSON.stringify(body) })).json() as Promise<
        Record<string, string>
      >;
    const person = newCheckPerson();
    const { access_token: sessionToken = "" } = await post("/tokens", { user: person });
    // This row waits for the reconcile job.
    const request = { ...ownReceiverCheck({ app: app.url, sessionToken, person }), only: ["lost"] };
    expect(await post("/provider/sim/receiver-checks", request)).toMatchObject({ state: "running" });
    await expect.poll(() => counts(app)).toEqual([1, 2, 1, 2]);
    // The platform knows the order for one of a check only when the application server has answered.
    const shown = async () => (await app.console("/provider/sim/orders?without_internal=true")).json();
    await expect.poll(shown).toMatchObject({ orders: [] });
    await app.kill();
  }
  await using app = await forkApp(folder.path);
  await expect.poll(() => counts(app)).toEqual([0, 1, 0, 1]);
});

/** A backend that has an order placed, and never replies. */
async function silentBackend(place: () => Promise<unknown>) {
  const { promise: placed, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer(() => void place().then(() => resolve(), reject));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/orders`,
    placed,
    [Symbol.dispose]: () => void server.close().closeAllConnections(),
  };
}

it("a start removes the order that a check's backend has placed without a reply before the crash, and keeps others", async () => {
  using folder = temporaryFolder();
  const listed = async (app: ForkedApp) => {
    const reply = await app.console("/provider/sim/orders");
    return ((await reply.json()) as { orders: { description: string }[] }).orders.map((one) => one.description);
  };
  {
    await using app = await forkApp(folder.path);
    const headers = { Authorization: `Bearer ${await app.logIn()}`, "Content-Type": "application/json" };
    const order = (description: string) => {
      const body = JSON.stringify({ description, amount: 1, trade_type: "NATIVE" });
      return fetch(`${app.url}/api/orders`, { method: "POST", headers, body });
    };
    await order("tea");
    using backend = await silentBackend(() => order("for the check"));
    const request = { notify_url: backend.url, orders: { from: "backend", url: backend.url }, only: ["genuine"] };
    await app.console("/provider/sim/receiver-checks", { method: "POST", body: JSON.stringify(request) });
    await backend.placed;
    expect(await listed(app)).toEqual(["for the check", "tea"]);
    await app.kill();
  }
  await using app = await forkApp(folder.path);
  await expect.poll(() => listed(app)).toEqual(["tea"]);
});
