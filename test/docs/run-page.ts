/** Runs the commands of a page in the order in which they stand, as a reader would in one terminal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { plainEnvironment } from "../support/process/launch.ts";
import { sendSignalToGroup } from "../support/process/processes.ts";
import { copyExample } from "./copy-example.ts";
import { installCommands, type HearthCommand } from "./installed-commands.ts";
import { placeOf, type Block } from "./read-blocks.ts";

/** What the pages' commands meet: one Hearth on free ports. */
export interface Place {
  /** In place of the default addresses that the pages name, `host:port`. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly command: HearthCommand;
}

/** The reader's own project: its tests call Hearth. */
const project = JSON.stringify({
  private: true,
  scripts: {
    test: "node -e 'fetch(process.env.HEARTH_APP_URL + \"/healthz\").then(({ ok }) => process.exit(ok ? 0 : 1))'",
  },
});

/** The reader's own backend, which some pages call: it takes payments. */
const backend = "docs/examples/express-merchant";
const startBackend = `( cd ../backend && node server.js http://127.0.0.1:8080 http://127.0.0.1:3081 ) > backend.log 2>&1 &
until [ -s backend.log ]; do sleep 0.1; done
`;

/** The reader's own server for message push: it returns `echostr`. */
const pushServer = [
  'const answer = (req, res) => res.end(new URL(req.url, "http://own").searchParams.get("echostr") ?? "success");',
  'const [host, port] = "127.0.0.1:8080".split(":");',
  'require("node:http").createServer(answer).listen(Number(port), host, () => console.log("listening"));',
].join(" ");
const startPushServer = `node -e '${pushServer}' > push.log 2>&1 &
until [ -s push.log ]; do sleep 0.1; done
`;

const callsOwnServer = ({ text }: Block) => text.includes("127.0.0.1:8080");

/** A line before each block's output tells whose it is. */
const marker = "@@ block ";

/** @param start what starts the reader's own server, before the first block that calls it */
function scriptOf(blocks: readonly Block[], { addresses }: Place, start: string): string {
  const firstCall = blocks.findIndex(callsOwnServer);
  const parts = blocks.map((block, at) => {
    const lines =
      block.mark?.kind === "in the background"
        ? `( ${block.text}\n) > background.log 2>&1 &\nuntil [ -s background.log ]; do sleep 0.1; done`
        : block.text;
    return `${at === firstCall ? start : ""}echo; echo '${marker}${placeOf(block)}'\n${lines}\n`;
  });
  const script = `set -euo pipefail\n${parts.join("")}`;
  return Object.entries(addresses).reduce((all, [named, real]) => all.replaceAll(named, real), script);
}

/** What each block has printed, by its place. */
function outputsIn(printed: string): Map<string, string> {
  const pieces = printed.split(`\n${marker}`).slice(1);
  return new Map(pieces.map((piece) => [piece.slice(0, piece.indexOf("\n")), piece.slice(piece.indexOf("\n") + 1)]));
}

/**
 * Runs the shell blocks of one page in `folder`, which is the home directory too; beside an example's page lie its files.
 * @returns what each has printed; @throws Error with all of it when one fails
 */
export async function runPage(blocks: readonly Block[], place: Place, folder: string): Promise<Map<string, string>> {
  const [{ page = "" } = {}] = blocks;
  const [home, commands] = [join(folder, "home"), join(folder, "bin")];
  mkdirSync(home);
  installCommands(commands, place.command);
  if (page.startsWith("docs/examples/")) copyExample(dirname(page), home);
  else writeFileSync(join(home, "package.json"), project);
  const isPushed = blocks.some(({ text }) => text.includes("127.0.0.1:8080/wechat"));
  if (!isPushed && !page.startsWith(backend) && blocks.some(callsOwnServer))
    copyExample(backend, join(folder, "backend"));
  const start = isPushed ? startPushServer : page.startsWith(backend) ? "" : startBackend;
  const inherited = plainEnvironment();
  const child = spawn("bash", ["-c", scriptOf(blocks, place, start)], {
    cwd: home,
    detached: true,
    env: {
      ...inherited,
      HOME: home,
      TMPDIR: folder,
      NO_COLOR: "1",
      FORCE_COLOR: "0",
      PATH: [commands, dirname(place.command.node), inherited["PATH"]].join(":"),
      ...place.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const closed = once(child, "close");
  const [code] = (await once(child, "exit")) as [number | null];
  // What runs in the background is of its group.
  try {
    sendSignalToGroup(child.pid, "SIGTERM");
  } catch {
    // Nothing does.
  }
  await closed;
  const outputs = outputsIn(printed);
  if (code !== 0) throw new Error(`${[...outputs.keys()].at(-1) ?? page} ended with ${String(code)}:\n${printed}`);
  return outputs;
}
