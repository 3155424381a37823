/** Runs the commands of a page in the order in which they stand, as a reader would in one terminal. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { plainEnvironment, builtCommand } from "../support/process/launch.ts";
import { sendSignalToGroup } from "../support/process/processes.ts";
import { copyExample } from "./copy-example.ts";
import { placeOf, root, type Block } from "./read-blocks.ts";

/** What the pages' commands meet: one Hearth on free ports. */
export interface Place {
  /** In place of the default addresses that the pages name, `host:port`. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

/** `hearth` as after `npm install -g .`; `npx` finds nothing but that and what the checkout has. */
function installCommands(folder: string): void {
  mkdirSync(folder);
  const script = (name: string, lines: string) =>
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\nset -eu\n${lines}\n`, { mode: 0o755 });
  script("hearth", `exec '${process.execPath}' '${builtCommand}' "$@"`);
  script(
    "npx",
    `if [ "$1" = hearth ]; then exec "$@"; fi\ncommand=$1; shift\nif [ "$command" = vitest ]; then set -- "$@" --testTimeout=60000; fi\nexec '${root}node_modules/.bin/'"$command" "$@"`,
  );
}

/** A line before each block's output tells whose it is. */
const marker = "@@ block ";

function scriptOf(blocks: readonly Block[], { addresses }: Place): string {
  const parts = blocks.map((block) => {
    const text = Object.entries(addresses).reduce((all, [named, real]) => all.replaceAll(named, real), block.text);
    const lines =
      block.mark?.kind === "in the background"
        ? `( ${text}\n) > background.log 2>&1 &\nuntil [ -s background.log ]; do sleep 0.1; done`
        : text;
    return `echo; echo '${marker}${placeOf(block)}'\n${lines}\n`;
  });
  return `set -euo pipefail\n${parts.join("")}`;
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
  installCommands(commands);
  if (page.startsWith("docs/examples/")) copyExample(dirname(page), home);
  const inherited = plainEnvironment();
  const child = spawn("bash", ["-c", scriptOf(blocks, place)], {
    cwd: home,
    detached: true,
    env: {
      ...inherited,
      HOME: home,
      TMPDIR: folder,
      NO_COLOR: "1",
      FORCE_COLOR: "0",
      PATH: [commands, dirname(process.execPath), inherited["PATH"]].join(":"),
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
