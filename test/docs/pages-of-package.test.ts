/** The commands of the guides by the package `hearthkit`, as npm packs it, with the engine and the store's client. */
import { dirname, join } from "node:path";
import { afterAll, describe } from "vitest";
import { enginePackage } from "../../server/contract/model/gpu-engine.ts";
import { addPackages, installPackage } from "../support/process/npm-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { systemPath, type HearthCommand } from "./installed-commands.ts";
import { guidesThatRun } from "./read-blocks.ts";
import { testStarts } from "./start-blocks.ts";
import { testCommandsOf } from "./test-commands.ts";

describe("from the package", () => {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());

  let installed: Promise<HearthCommand> | undefined;
  async function install(): Promise<HearthCommand> {
    const project = await installPackage(folder.path);
    const storeClient = ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"];
    addPackages(project, enginePackage(process.platform, process.arch), ...storeClient);
    return { node: process.execPath, cli: join(project, "node_modules/hearthkit/dist/cli.js") };
  }
  const installOnce = () => (installed ??= install());

  testCommandsOf(guidesThatRun, installOnce);
  testStarts(installOnce, [dirname(process.execPath), ...systemPath], ({ command }) => command.startsWith("hearth "));
});
