/** A file system whose clock is not the machine's. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { untilOld, watchedFolder } from "../../support/process/watched-folder.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

afterEach(() => void vi.restoreAllMocks());

it("reports new files as created where the file system's clock is an hour behind, and old ones as moved in", async () => {
  using temporary = temporaryFolder();
  const old = join(temporary.path, "old");
  writeFileSync(old, "");
  await untilOld(old);
  const { now } = Date;
  vi.spyOn(Date, "now").mockImplementation(() => now() + 3_600_000);
  await using folder = await watchedFolder();
  expect(await folder.after("mkdir made", "create made")).toEqual(["create made"]);
  expect(await folder.after("echo 1 > new", "modify new")).toEqual(["create new", "modify new"]);
  expect(await folder.after(`mv ${old} in`, "move in")).toEqual(["move in"]);
});
