/** Collections that the console's page makes of items: served with all of them, or not at all. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CollectionItem, CollectionView } from "../../../../server/contract/console/data/collection-endpoints.ts";
import { createCollection } from "../../../../renderer/features/collections/schema/create-collection.ts";
import { inferSchema } from "../../../../renderer/features/collections/schema/infer-schema.ts";
import type { FileRow } from "../../../../renderer/features/collections/schema/read-rows.ts";
import { askConsole } from "../../../support/app/ask-console.ts";
import { pageCall } from "../../../support/app/page-call.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const make = (name: string, items: readonly FileRow[], schema: object = inferSchema(items)) =>
  createCollection(pageCall(app), { name, text: JSON.stringify(schema), items });
const served = async () =>
  (await askConsole<{ collections: CollectionView[] }>(app, "GET", "/collections")).body.collections.map(
    ({ name, items }) => [name, items],
  );

it("a new collection accepts items whose texts only look like a format", async () => {
  expect(await make("visits", [{ mail: "a..b@x.com", at: "2024-01-01T24:00:00Z" }])).toBe(1);
  expect(await served()).toContainEqual(["visits", 1]);
});

it("a new collection accepts fields with names that every object inherits, which some items lack", async () => {
  const vehicles: FileRow[] = [{ constructor: "Ada" }, { name: "Bus", valueOf: 3 }];
  expect(await make("vehicles", vehicles)).toBe(2);
  const { body } = await askConsole<{ items: CollectionItem[] }>(app, "GET", "/collections/vehicles/items?sort=id");
  expect(body.items.map(({ data }) => data)).toEqual(vehicles);
});

it("a new collection whose items are refused leaves nothing behind, and can be made again", async () => {
  const rows = [{ size: 1 }, { size: "big" }];
  await expect(make("boxes", rows, { type: "object", properties: { size: { type: "integer" } } })).rejects.toThrow(
    "size",
  );
  expect((await served()).map(([name]) => name)).not.toContain("boxes");
  expect(await make("boxes", rows)).toBe(2);
  await expect(make("boxes", rows)).rejects.toThrow("boxes");
  expect(await served()).toContainEqual(["boxes", 2]);
});
