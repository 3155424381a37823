/** The commands of the guides by the package `hearthkit`, as npm packs it, with the engine that it names. */
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { enginePackage } from "../../server/contract/model/gpu-engine.ts";
import { addPackages, installPackage } from "../support/process/npm-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { guidesThatRun } from "./read-blocks.ts";
import { testCommandsOf } from "./test-commands.ts";

describe("from the package", () => {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());

  testCommandsOf(guidesThatRun, async () => {
    const project = await installPackage(folder.path);
    addPackages(project, enginePackage(process.platform, process.arch));
    return { node: process.execPath, cli: join(project, "node_modules/hearthkit/dist/cli.js") };
  });
});
