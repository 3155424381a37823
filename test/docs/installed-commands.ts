/** The ways in which a reader has the command `hearth`: from the checkout by an old or a new Node, or from the package. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { builtCommand, plainEnvironment } from "../support/process/launch.ts";
import { root } from "./read-blocks.ts";

export interface HearthCommand {
  readonly node: string;
  /** The file `cli.js`. */
  readonly cli: string;
}

export const fromCheckout: HearthCommand = { node: process.execPath, cli: builtCommand };

/** The folder of a Node 20 on the path, which cannot run Hearth itself. Undefined where there is none. */
export const node20 = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => existsSync(join(folder, "node")))
  .find((folder) => execFileSync(join(folder, "node"), ["--version"], { encoding: "utf8" }).startsWith("v20."));

/** The folders of programs without those of the checkout's packages. */
export const systemPath = (plainEnvironment()["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"));

/**
 * Puts `hearth` into a folder, as `npm link` does; `npx` finds nothing but that and what the checkout has. Vitest gets more
 * time, because machines of tests are busy.
 */
export function installCommands(folder: string, { node, cli }: HearthCommand): void {
  mkdirSync(folder);
  const script = (name: string, lines: string) =>
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\nset -eu\n${lines}\n`, { mode: 0o755 });
  script("hearth", `exec '${node}' '${cli}' "$@"`);
  script(
    "npx",
    `if [ "$1" = hearth ]; then exec "$@"; fi\ncommand=$1; shift\nif [ "$command" = vitest ]; then set -- "$@" --testTimeout=60000; fi\nexec '${root}node_modules/.bin/'"$command" "$@"`,
  );
}
