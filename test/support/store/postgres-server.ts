/** A PostgreSQL server of a test's own: it listens on a socket in a temporary folder, and leaves nothing behind. */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { temporaryFolder } from "../temporary-folder.ts";

const debian = "/usr/lib/postgresql";

/** Debian keeps the programs of each version in a folder of its own, beside the path. */
function program(name: string): string {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(debian, version, "bin", name)).find(existsSync) ?? name;
}

/** The server refuses to run as root. */
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const asNobody = ["setpriv", `--reuid=${String(nobody)}`, `--regid=${String(nobody)}`, "--clear-groups"];

function run(name: string, ...args: string[]): void {
  const [command, ...all] = [...(isRoot ? asNobody : []), program(name), ...args];
  const { status, error, stdout, stderr } = spawnSync(command ?? "", all, { encoding: "utf8", cwd: "/" });
  if (status !== 0) throw new Error(`${name} failed: ${error?.message ?? `${stdout}${stderr}`}`);
}

export interface PostgresServer extends Disposable {
  /** Of its socket. */
  readonly folder: string;
}

/** Its superuser is `hearth`; nothing is synced to the disk. */
export function startPostgres(): PostgresServer {
  const folder = temporaryFolder();
  const data = join(folder.path, "data");
  if (isRoot) chownSync(folder.path, nobody, nobody);
  const forSpeed = ["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"];
  run("initdb", "--pgdata", data, "--username=hearth", ...forSpeed);
  const options = {
    listen_addresses: "''",
    unix_socket_directories: folder.path,
    fsync: "off",
    full_page_writes: "off",
    max_connections: "300",
  };
  const given = Object.entries(options).map(([name, value]) => `-c ${name}=${value}`);
  run("pg_ctl", "start", "--wait", "--silent", "--pgdata", data, "--log", join(folder.path, "log"), "-o", given.join(" "));
  return {
    folder: folder.path,
    [Symbol.dispose]() {
      run("pg_ctl", "stop", "--silent", "--mode=immediate", "--pgdata", data);
      folder[Symbol.dispose]();
    },
  };
}

export const databaseUrl = (folder: string, name: string): string =>
  `postgres://hearth:never-to-be-shown@localhost/${name}?host=${encodeURIComponent(folder)}`;

/** A connection of a test's own. */
export async function connectTo(folder: string, name = "postgres"): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl(folder, name) });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
