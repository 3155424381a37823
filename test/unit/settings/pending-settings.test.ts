import { resolve } from "node:path";
import { expect, it } from "vitest";
import { isPending } from "../../../server/app/settings/setting-view.ts";
import { settingsSchema } from "../../../server/contract/process/settings.ts";

it.each([
  ["uploads_bucket", "shop-uploads", "uploads", true],
  ["collections_dir", resolve("/a/b/proj"), "/proj", true],
  ["collections_dir", resolve("/a/b/my-proj"), "proj", true],
  ["collections_dir", resolve("/a/b/proj"), "b/proj", false],
  ["collections_dir", resolve("/a/b/proj"), "./proj/", false],
  ["collections_dir", resolve("/a/b/proj"), ".", false],
  ["collections_dir", resolve("/a/b/proj"), "/a/b/proj/", false],
] as const)("where %s is %s in a run, %s in the file is a change: %s", (name, now, next, expected) => {
  const settings = { ...settingsSchema.parse({ data_dir: "/data" }), [name]: now };
  expect(isPending(name, { settings, origin: "file", written: { [name]: next } })).toBe(expected);
});
