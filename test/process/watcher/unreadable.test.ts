/** What the watcher may not read for a while. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { whileUnreadable } from "../../support/process/unreadable.ts";
import { watchedFolder } from "../../support/process/watched-folder.ts";

it("what cannot be read counts as unchanged, and is told once it can be read again", async () => {
  await using folder = await watchedFolder({ prepare: "mkdir locked; touch locked/changes locked/goes locked/stays" });
  await whileUnreadable(join(folder.dir, "locked"), async () => {
    const meanwhile = "echo 1 > locked/changes; rm locked/goes; echo 1 > locked/new; chmod 600 locked/stays";
    const lines = await folder.after(`${meanwhile}; echo 1 > open`, "modify open");
    expect(lines).toEqual(["create open", "modify open"]);
  });
  const told = () =>
    folder
      .lines()
      .filter((line) => line.includes("locked"))
      .toSorted();
  await expect
    .poll(told)
    .toEqual([
      "attrib locked/stays",
      "create locked/new",
      "delete locked/goes",
      "modify locked/changes",
      "modify locked/new",
    ]);
  expect(await folder.after("echo 2 >> locked/stays", "modify locked/stays")).toEqual(["modify locked/stays"]);
});
