/** The blocks of the pages that start a Hearth which runs until it is ended: each start is one case. */
import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { isCi } from "../../build/is-ci.ts";
import type { ReadyFileContent } from "../../server/supervisor/ready-file.ts";
import { startScriptedUpstream } from "../support/model/scripted-upstream.ts";
import { launchHearth, plainEnvironment } from "../support/process/launch.ts";
import { databaseUrl, hasPostgres, startPostgres } from "../support/store/postgres-server.ts";
import { startS3Server } from "../support/store/s3-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { installCommands, type HearthCommand } from "./installed-commands.ts";
import { marked, root } from "./read-blocks.ts";

interface Start {
  readonly command: string;
  /** The commands of the block before the first start. */
  readonly before: string;
  /** The commands behind the last start: a reader types them while this Hearth runs. */
  readonly behind: string;
}

/** The commands of a block, each with the lines that continue it, without a comment or `&` behind it. */
const commandsIn = (text: string) =>
  (text.match(/(?:.*\\\n)*.+/g) ?? []).map((command) => command.replace(/ +#.*$| &$/, ""));
const isStart = (command: string) => /^(?:npm start|hearth (?:start|serve))\b/.test(command);

const starts: readonly Start[] = marked("starts").flatMap(({ text, mark }) => {
  const commands = commandsIn(text);
  const [first, last] = [commands.findIndex(isStart), commands.findLastIndex(isStart)];
  const before = commands.slice(0, first).join("\n");
  const behind = mark?.value === "" ? commands.slice(last + 1).join("\n") : "";
  return commands.filter(isStart).map((command) => ({ command, before, behind }));
});
const distinctStarts = [...new Map(starts.map((start) => [JSON.stringify(start), start])).values()];

/** The stores and servers behind the names that the pages give them, as far as the commands name them. */
async function openWorld(text: string) {
  await using world = new AsyncDisposableStack();
  const upstream = world.use(await startScriptedUpstream(["qwen3:32b"]));
  const named: Record<string, string> = { "http://gpu.lan:11434": upstream.url, "=…": `=${"0123456789".repeat(4)}` };
  const env: Record<string, string> = {};
  if (text.includes("postgres://")) {
    const { folder } = world.use(await startPostgres());
    Object.assign(env, { PGHOST: folder, PGUSER: "hearth" });
    const name = text.includes("createdb hearth") ? "hearth" : "postgres";
    named["postgres://hearth:PASSWORD@db.example/hearth"] = databaseUrl(folder, name);
  }
  if (/uploads-bucket|UPLOADS_BUCKET/.test(text)) {
    const { url } = world.use(await startS3Server());
    for (const bucket of ["uploads", "team-files"]) await fetch(`${url}/${bucket}`, { method: "PUT" });
    Object.assign(named, { "http://s3.example:9000": url, "http://127.0.0.1:9000": url });
  }
  const opened = world.move();
  return { named, env, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

const replaceAll = (text: string, named: Readonly<Record<string, string>>) =>
  Object.entries(named).reduce((all, [name, real]) => all.replaceAll(name, real), text);

/** The addresses by which commands reach this Hearth in place of one on the default ports. */
const addressesOf = ({ app, provider, model }: ReadyFileContent) => ({
  "http://127.0.0.1:3080": app,
  "http://127.0.0.1:3081": provider,
  "http://127.0.0.1:11434": model ?? "",
});

const needsPostgres = ({ before }: Start) => before.includes("postgres://");

/**
 * Tests that each start of the pages starts every service, and that what follows it in its block works.
 * @param folders for programs, before the system's
 */
export function testStarts(
  install: () => Promise<HearthCommand> | HearthCommand,
  folders: readonly string[],
  isTested: (start: Start) => boolean = () => true,
): void {
  const tested = distinctStarts.filter((start) => isTested(start) && (!needsPostgres(start) || hasPostgres || isCi));
  it.concurrent.each(tested)("$command starts every service", async (start) => {
    using folder = temporaryFolder();
    const commands = join(folder.path, "bin");
    installCommands(commands, await install());
    await using world = await openWorld(`${start.before}\n${start.command}`);
    const env = { ...world.env, PATH: [commands, ...folders].join(":"), HEARTH_STAND_IN_PORT: "0", HOME: folder.path };
    // npm takes flags for itself that do not follow `--`.
    const withFlags = start.command === "npm start" ? "npm start --" : start.command;
    const script = replaceAll(`${start.before}\nexec ${withFlags} "$@"`, world.named);
    await using hearth = launchHearth({
      command: ["bash", "-ec", script, "bash"],
      flags: ["--headless"],
      cwd: start.command.startsWith("npm ") ? root : folder.path,
      env,
    });
    const ready = await hearth.ready();
    expect((await fetch(`${ready.app}/readyz`)).status).toBe(200);
    if (start.behind === "") return;
    // The flag of the test, behind that of the page, names another file.
    const [, readyFile] = / --ready-file (\S+)/.exec(start.command) ?? [];
    if (readyFile !== undefined) symlinkSync(hearth.readyFile, join(folder.path, readyFile));
    const scripts = { test: "curl -sS https://api.weixin.qq.com/sns/jscode2session | grep 41002" };
    writeFileSync(join(folder.path, "package.json"), JSON.stringify({ private: true, scripts }));
    const behind = replaceAll(start.behind, { ...world.named, ...addressesOf(ready) });
    await promisify(execFile)("bash", ["-euo", "pipefail", "-c", behind], {
      cwd: folder.path,
      env: { ...plainEnvironment(), ...env, HEARTH_DATA_DIR: hearth.dataDir },
    });
  });
}
