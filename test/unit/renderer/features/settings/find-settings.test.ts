import { expect, it } from "vitest";
import { findSettings } from "../../../../../renderer/features/settings/find-settings.ts";
import { settingsSchema } from "../../../../../server/contract/process/settings.ts";

const settings = Object.entries(settingsSchema.shape).map(([name, { description = "" }]) => ({ name, description }));
const found = (search: string) => findSettings(settings, search, (name) => name).map(({ name }) => name);

it.each([
  ["expire", "session_ttl_seconds"],
  ["过期", "session_ttl_seconds"],
  ["webhook", "payment_notify_url"],
  ["reverse proxy", "trusted_proxies"],
  ["断电", "durability"],
  ["postgres", "database_url"],
])("finds a setting by what it does: %s", (search, name) => {
  expect(found(search)).toContain(name);
});

it("finds only settings that have all words of a search, in any order", () => {
  expect(found("token session")).toContain("session_ttl_seconds");
  expect(found("session nonsense")).toEqual([]);
});
