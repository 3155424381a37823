import { describe, expect } from "vitest";
import { test } from "hearthkit/vitest";
import { buy } from "./checkout.js";

const books = {
  type: "object",
  required: ["title", "price"],
  properties: { title: { type: "string" }, price: { type: "integer", minimum: 1 } },
  "x-hearth": { owner: "anyone", seed: [{ title: "Tea", price: 199 }] },
};

test.override({ hearthOptions: { collections: { books }, users: { ada: { nick_name: "Ada" } }, model: false } });

describe("a purchase", () => {
  test("ends with a paid order", async ({ hearth }) => {
    const ada = await hearth.phone("ada");
    expect(await buy(ada, "Tea")).toBe("SUCCESS");
    const placed = await hearth.waitForRequest({ method: "POST", path: "/api/orders" });
    expect(JSON.parse(placed.request.body.text)).toEqual({ description: "Tea", amount: 199 });
  });

  test("succeeds when the server is busy at first", async ({ hearth }) => {
    await hearth.inject({ method: "POST", path: "/api/orders", status: 503, times: 1 });
    const ada = await hearth.phone("ada");
    expect(await buy(ada, "Tea")).toBe("SUCCESS");
  });

  test("asks to log in again after the session has ended", async ({ hearth }) => {
    const ada = await hearth.phone("ada");
    const before = ada.token;
    await hearth.clock.advance(24 * 3600 * 1000);
    expect(await buy(ada, "Tea")).toBe("SUCCESS");
    expect(ada.token).not.toBe(before);
  });

  test("starts from the seeds, whatever the tests before have written", async ({ hearth }) => {
    const ada = await hearth.phone("ada");
    await ada.request("POST", "/api/books", { title: "Cup", price: 800 });
    await hearth.reset();
    const { body } = await ada.request("GET", "/api/books");
    expect(body.data.map(({ title }) => title)).toEqual(["Tea"]);
  });
});
