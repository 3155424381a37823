/** The blocks of the pages that a reader runs while no Hearth runs, on the data that one has left in the usual folder. */
import { execFile, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { isCi } from "../../build/is-ci.ts";
import { launchHearth, plainEnvironment } from "../support/process/launch.ts";
import { databaseUrl, hasPostgres, startPostgres } from "../support/store/postgres-server.ts";
import { startS3Server } from "../support/store/s3-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fromCheckout, installCommands, systemPath } from "./installed-commands.ts";
import { marked, placeOf, type Block } from "./read-blocks.ts";

const isThere = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const needs = ({ text }: Block) => ({ database: text.includes("hearth migrate"), store: text.startsWith("aws s3 ") });
const canRun = (block: Block) =>
  isCi || ((hasPostgres || !needs(block).database) && (isThere("aws") || !needs(block).store));

/** What the reader has named in the environment before. */
async function openWorld(block: Block) {
  await using world = new AsyncDisposableStack();
  const env: Record<string, string> = {};
  if (needs(block).database)
    env["HEARTH_DATABASE_URL"] = databaseUrl(world.use(await startPostgres()).folder, "postgres");
  if (needs(block).store) {
    const { url } = world.use(await startS3Server());
    await fetch(`${url}/team-files`, { method: "PUT" });
    const key = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "us-east-1" };
    Object.assign(env, key, { AWS_ENDPOINT_URL: url });
  }
  const opened = world.move();
  return { env, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

it.each(
  marked("alone")
    .filter(canRun)
    .map((block) => [placeOf(block), block] as const),
)("%s works while no Hearth runs", async (_place, block) => {
  using home = temporaryFolder();
  const dataDir = join(home.path, ".local/share/hearth");
  {
    await using hearth = launchHearth({ dataDir, env: { HOME: home.path } });
    await hearth.ready();
  }
  const commands = join(home.path, "bin");
  installCommands(commands, fromCheckout);
  await using world = await openWorld(block);
  const env = { ...plainEnvironment(), ...world.env, HOME: home.path, XDG_DATA_HOME: "" };
  const PATH = [commands, dirname(process.execPath), ...systemPath].join(":");
  const ended = promisify(execFile)("bash", ["-euo", "pipefail", "-c", block.text], {
    cwd: home.path,
    env: { ...env, PATH },
  });
  await expect(ended).resolves.toMatchObject({ stderr: "" });
});
