import { expect, it } from "vitest";
import type { CollectionItem } from "../../../../../server/contract/console/data/collection-endpoints.ts";
import { isSameVersion, newest, saved } from "../../../../../renderer/features/collections/items/item-versions.ts";

const item = (version: number, second = version, id = 1): CollectionItem => {
  const updated_at = `2026-01-02T03:04:0${second}.000Z`;
  return { id, owner_uid: "", version, created_at: updated_at, updated_at, data: {} };
};

it("An item with the number of another one, after a reset or an import, is another version", () => {
  expect(isSameVersion(item(1), item(1))).toBe(true);
  for (const other of [item(2, 1), item(1, 2), item(1, 1, 2)]) expect(isSameVersion(item(1), other)).toBe(false);
});

it("A save stands for what it replaced, also through an earlier one, and for nothing else", () => {
  const first = saved(item(2), item(1), undefined);
  const second = saved(item(3), item(2), first);
  for (const shown of [item(1), item(2), item(3)]) expect(newest(second, shown)).toEqual(item(3));
  for (const other of [item(1, 9), item(4), item(1, 1, 2)]) expect(newest(second, other)).toBe(other);
  expect(newest(saved(item(6), item(5), second), item(2))).toEqual(item(2));
});
