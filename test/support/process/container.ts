/**
 * Containers of the image that build/container/Dockerfile describes, without Docker: its root, read-only, in namespaces that
 * Linux grants to any user. What the Dockerfile copies is read from it. Its base image is this machine's own libraries and
 * Node, and what it has npm install is linked to the checkout's packages, which are of the same versions.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as tar from "tar";
import { temporaryFolder } from "../temporary-folder.ts";
import { packTo } from "./npm-package.ts";
import { environmentOf, readDockerfile, type Stage } from "./read-dockerfile.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** What `docker build` is given. */
export const contextFolder = join(root, "build/container");

/** Whether this machine lets its users have namespaces and mounts of their own; containers may not. */
export const hasContainers = (() => {
  if (process.platform !== "linux") return false;
  using folder = temporaryFolder();
  const script = 'mount -t tmpfs none "$0" && unshare -U --map-user=1000 true';
  return spawnSync("unshare", ["-rm", "sh", "-c", script, folder.path]).status === 0;
})();

const basePath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** $0 an empty folder, $1 the folder of the packages, $2 its place, $3 the volume, $4 its place, $5 Node, $6 the checkout's packages, $7 the user; then the command. */
const enter = `
set -e
read_only() {
  mount --bind "$1" "$2"
  mount -o "remount,bind,$(findmnt -nro VFS-OPTIONS --target "$1" | sed 's/^rw/ro/')" "$2"
}
mount -t tmpfs none "$0"
cd "$0"
mkdir tmp
mount -t tmpfs -o nosuid,nodev,noexec none tmp
mkdir -p usr/lib usr/bin usr/local/bin proc dev etc home/node ".$2" ".$4" ".$6"
for name in bin lib lib64; do ln -s "usr/$name" "$name"; done
for name in /usr/bin /usr/lib "$1:$2" "$6"; do read_only "\${name%:*}" ".\${name#*:}"; done
[ ! -d /usr/lib64 ] || { mkdir usr/lib64; read_only /usr/lib64 usr/lib64; }
touch usr/local/bin/node
read_only "$5" usr/local/bin/node
mount --bind "$3" ".$4"
mount --rbind /dev dev
mount --rbind /proc proc
echo "node:x:1000:1000::/home/node:/bin/bash" > etc/passwd
mount -o remount,ro .
root=$0 place=$4 user=$7
shift 7
exec unshare -U --map-user="\${user%:*}" --map-group="\${user#*:}" --root="$root" --wd="$place" "$@"`;

interface Image {
  readonly stage: Stage;
  /** The folder of the packages, as the first stage leaves it. */
  readonly packages: string;
  /** An empty folder, on which each container mounts a root of its own. */
  readonly mountPoint: string;
}

const words = (text: string) => JSON.parse(text) as string[];
const patternsOf = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** The files that .dockerignore lets through; it begins with `*`. */
function sentFiles(context: string): string[] {
  const [all, ...allowed] = patternsOf(join(contextFolder, ".dockerignore"));
  if (all !== "*" || allowed.some((line) => !line.startsWith("!")))
    throw new Error(".dockerignore is no list of what goes");
  return allowed.flatMap((line) => globSync(line.slice(1), { cwd: context }));
}

/** Does what the Dockerfile says, but for the base image and the registry. */
export async function buildImage(folder: string): Promise<Image> {
  const [first, stage] = readDockerfile(readFileSync(join(contextFolder, "Dockerfile"), "utf8"));
  if (first === undefined || stage === undefined) throw new Error("the Dockerfile has not two stages");
  const context = join(folder, "context");
  cpSync(contextFolder, context, { recursive: true });
  await packTo(context);
  const sent = join(folder, "sent");
  for (const name of sentFiles(context)) cpSync(join(context, name), join(sent, name));

  const packages = join(folder, "packages");
  for (const copied of first.all("COPY")) {
    const names = copied.split(" ");
    const to = names.pop() ?? "";
    for (const pattern of names) {
      const files = globSync(pattern, { cwd: sent });
      if (files.length !== 1) throw new Error(`COPY ${copied}: ${pattern} is ${files.join(", ") || "nothing"}`);
      cpSync(join(sent, files[0] ?? ""), join(packages, to === "./" ? (files[0] ?? "") : to));
    }
  }
  await install(packages);
  const mountPoint = join(folder, "root");
  mkdirSync(mountPoint);
  return { stage, packages, mountPoint };
}

/** What `npm ci` and `npm install ./hearthkit.tgz` put into the folder. */
async function install(packages: string): Promise<void> {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(packages, "package.json"), "utf8")) as {
    dependencies: object;
    optionalDependencies: object;
  };
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = join(packages, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(root, "node_modules", name), place);
  }
  const hearthkit = join(packages, "node_modules/hearthkit");
  mkdirSync(hearthkit);
  await tar.extract({ file: join(packages, "hearthkit.tgz"), cwd: hearthkit, strip: 1 });
  const { bin } = JSON.parse(readFileSync(join(hearthkit, "package.json"), "utf8")) as { bin: Record<string, string> };
  mkdirSync(join(packages, "node_modules/.bin"));
  for (const [name, file] of Object.entries(bin)) {
    chmodSync(join(hearthkit, file), 0o755);
    symlinkSync(join("../hearthkit", file), join(packages, "node_modules/.bin", name));
  }
}

/** A container with this volume, as `docker run --read-only --tmpfs /tmp` has it. Its network is the machine's. */
export function inContainer(
  { stage, packages, mountPoint }: Image,
  volume: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const [, copiedTo = ""] = stage
    .last("COPY")
    .replace(/^--from=\S+ /, "")
    .split(" ");
  const places = [packages, copiedTo, volume, stage.last("VOLUME"), process.execPath, join(root, "node_modules")];
  return spawn("unshare", ["-rm", "sh", "-c", enter, mountPoint, ...places, stage.last("USER"), ...command], {
    env: { HOME: "/home/node", ...environmentOf(stage, basePath), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** What the image runs, unless it is told otherwise. */
export const commandOf = ({ stage }: Image) => [...words(stage.last("ENTRYPOINT")), ...words(stage.last("CMD"))];
/** What Docker runs to learn how a container is. */
export const healthCommandOf = ({ stage }: Image) => words(stage.last("HEALTHCHECK").replace(/^.*? CMD /, ""));

/** Waits for the end of a program in a container. */
export async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  const output = Promise.all([child.stdout, child.stderr].map(async (stream) => (stream === null ? "" : text(stream))));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: (await output).join("") };
}
