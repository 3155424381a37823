/** The blocks of the pages that a reader runs while no Hearth runs, on the data that one has left in the usual folder. */
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { isCi } from "../../build/is-ci.ts";
import { launchHearth, plainEnvironment } from "../support/process/launch.ts";
import { databaseUrl, hasPostgres, startPostgres } from "../support/store/postgres-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fromCheckout, installCommands, systemPath } from "./installed-commands.ts";
import { marked, placeOf, type Block } from "./read-blocks.ts";

const needsDatabase = ({ text }: Block) => text.includes("hearth migrate");
const canRun = (block: Block) => isCi || hasPostgres || !needsDatabase(block);

/** What the reader has named in the environment before. */
async function openWorld(block: Block) {
  await using world = new AsyncDisposableStack();
  const env: Record<string, string> = {};
  if (needsDatabase(block))
    env["HEARTH_DATABASE_URL"] = databaseUrl(world.use(await startPostgres()).folder, "postgres");
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
  const ended = promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", block.text], {
    cwd: home.path,
    env: { ...env, PATH },
  });
  await expect(ended).resolves.toMatchObject({ stderr: "" });
});
