/** Instances that `startHearth` of the built package starts in this process. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, vi } from "vitest";
import type * as Kit from "../../../server/kit/start-hearth.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const built = pathToFileURL(join(import.meta.dirname, "../../../dist/kit.js")).href;
const { startHearth } = (await import(built)) as typeof Kit;

const books = {
  type: "object",
  required: ["title"],
  properties: { title: { type: "string" } },
  "x-hearth": { owner: "anyone", seed: [{ title: "Tea" }] },
};

describe("startHearth", () => {
  it("keeps, resets and restores the state of an instance, moves its clock and lets requests be awaited", async () => {
    await using hearth = await startHearth({
      model: false,
      collections: { books },
      users: { ada: { phone_number: "13800000001" } },
    });
    const titles = async () => {
      const { body } = await ada.request<{ data: { title: string }[] }>("GET", "/api/books");
      return body.data.map(({ title }) => title).sort();
    };
    const ada = await hearth.phone("ada");
    const person = await fetch(`${hearth.urls.provider}/sim/users/ada`);
    expect(await person.json()).toMatchObject({ phone_number: "13800000001" });
    await ada.request("POST", "/api/books", { title: "Cup" });
    const withCup = await hearth.snapshot();
    await ada.request("POST", "/api/books", { title: "Pot" });
    await hearth.restore(withCup);
    expect(await titles()).toEqual(["Cup", "Tea"]);

    const posted = await hearth.waitForRequest({ method: "POST", path: "/api/books" });
    expect([posted.status, posted.request.body.text]).toEqual([201, '{"title":"Pot"}']);
    await expect(hearth.waitForRequest({ path: "/api/cups", timeout_ms: 1 })).rejects.toThrow("The latest requests:");
    expect(JSON.parse(await hearth.har()).log.entries.length).toBeGreaterThan(2);

    const withToken = async () =>
      (await fetch(`${hearth.urls.app}/api/books`, { headers: { Authorization: `Bearer ${hearth.token}` } })).status;
    {
      await using fault = await hearth.inject({ path: "/api/books", status: 503 });
      expect([fault.id, await withToken()]).toEqual([1, 503]);
    }
    expect(await withToken()).toBe(200);
    await hearth.clock.advance(24 * 3600 * 1000);
    expect(await withToken()).toBe(401);
    expect((await hearth.clock.now()).getTime()).toBeGreaterThan(Date.now() + 23 * 3600 * 1000);
    await hearth.reset();
    expect(await withToken()).toBe(200);
    expect(await titles()).toEqual(["Tea"]);
    const { log } = JSON.parse(await hearth.har());
    expect(log.entries.some(({ request }: { request: { method: string } }) => request.method === "PUT")).toBe(false);
  });

  it("pays an order as the platform's client does, and injects the platform's faults", async () => {
    await using hearth = await startHearth({ model: false });
    const ada = await hearth.phone("ada");
    const place = async () => {
      const { body } = await ada.request<{ data: { id: number; pay: Record<string, string> } }>("POST", "/api/orders", {
        description: "Tea",
        amount: 199,
      });
      return body.data;
    };
    const stateOf = async (id: number) =>
      (await ada.request<{ data: { trade_state: string } }>("GET", `/api/orders/${id}`)).body.data.trade_state;
    const order = await place();
    expect(await ada.pay(order, "cancel")).toEqual({ errMsg: "requestPayment:fail cancel" });
    expect(await stateOf(order.id)).toBe("NOTPAY");
    expect(await ada.pay(order)).toEqual({ errMsg: "requestPayment:ok" });
    expect(await stateOf(order.id)).toBe("SUCCESS");
    await hearth.inject({ kind: "err_code", params: { code: "SYSTEMERROR" } });
    const refused = await ada.request("POST", "/api/orders", { description: "Tea", amount: 199 });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  });

  it("refuses a setting and a collection that are not valid in one line that names them", async () => {
    await expect(startHearth({ payment_version: "v9" as never })).rejects.toThrow(
      /^--payment-version: "v9" is not valid/,
    );
    await expect(startHearth({ model: false, collections: { books: { type: "nothing" } } })).rejects.toThrow(
      /\bbooks[.]json:1:\d+: /,
    );
  });

  it("runs two instances that share nothing, and leaves nothing of them behind", async () => {
    using folder = temporaryFolder();
    vi.stubEnv("TMPDIR", folder.path);
    try {
      const [one, other] = await Promise.all([startHearth({ model: false }), startHearth({ model: false })]);
      const ada = await one.phone("ada");
      await ada.request("POST", "/api/articles", { title: "Of one" });
      const { body } = await (await other.phone("ada")).request<{ data: unknown[] }>("GET", "/api/articles");
      expect(body.data).toEqual([]);
      const folders = readdirSync(folder.path).filter((name) => name.startsWith("hearthkit-"));
      expect(folders).toHaveLength(2);
      await Promise.all([one.stop(), other[Symbol.asyncDispose]()]);
      expect(readdirSync(folder.path)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
