import { expect, it } from "vitest";
import { packTo } from "../../support/process/npm-package.ts";
import { threeCommands } from "../../support/process/three-commands.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("three commands lead from an empty folder to a green payment test, without a network", async () => {
  using folder = temporaryFolder();
  const { printed, takenMb, seconds } = await threeCommands(await packTo(folder.path), folder.path);
  process.stdout.write(`three commands: ${seconds.toFixed(1)} s; installed: ${takenMb} MB\n`);
  const [, init, tests] = printed;
  expect(init).toContain("wrote test/hearth.test.js");
  expect(tests).toContain("3 passed");
});
