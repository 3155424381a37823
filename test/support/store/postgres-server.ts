/** A PostgreSQL server of a test's own: it listens on a socket in a temporary folder, and leaves nothing behind. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { letThrough, temporaryFolder } from "../temporary-folder.ts";

const debian = "/usr/lib/postgresql";

/** Debian keeps the programs of each version in a folder of its own, beside the path. */
function program(name: string): string {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(debian, version, "bin", name)).find(existsSync) ?? name;
}

/** Whether this machine has it, and what starts it as another user: Debian's packages on Linux. */
export const hasPostgres = existsSync(program("initdb"));

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** The server refuses to run as root. */
const asNobody = isRoot ? [`--reuid=${String(nobody)}`, `--regid=${String(nobody)}`, "--clear-groups"] : [];

export interface PostgresServer extends AsyncDisposable {
  /** Of its socket. */
  readonly folder: string;
  /** Kills it, as a crash does: open connections end without a word, and it answers nobody. */
  down(): Promise<void>;
  /** Starts it again with what was committed. */
  up(): Promise<void>;
}

/** Its superuser is `hearth`; nothing is synced to the disk. It ends with this process, however that ends. */
export async function startPostgres(): Promise<PostgresServer> {
  using world = new DisposableStack();
  const folder = world.use(temporaryFolder());
  const data = join(folder.path, "data");
  if (isRoot) {
    letThrough(folder.path);
    chownSync(folder.path, nobody, nobody);
  }
  const made = [
    "--pgdata",
    data,
    "--username=hearth",
    "--auth=trust",
    "--no-sync",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
  ];
  const { status, stdout, stderr } = spawnSync("setpriv", [...asNobody, program("initdb"), ...made], {
    encoding: "utf8",
    cwd: "/",
  });
  if (status !== 0) throw new Error(`initdb failed: ${stdout}${stderr}`);
  const options = {
    listen_addresses: "",
    unix_socket_directories: folder.path,
    fsync: "off",
    full_page_writes: "off",
    max_connections: "300",
    log_min_messages: "panic",
  };
  const given = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const postgres = program("postgres");
  let server: ChildProcess;
  let ended: Promise<unknown>;
  async function up(): Promise<void> {
    server = spawn("setpriv", [...asNobody, "--pdeathsig=QUIT", postgres, "-D", data, ...given], {
      stdio: "ignore",
      cwd: "/",
    });
    ended = once(server, "exit");
    await untilItAnswers(folder.path, server);
  }
  async function down(): Promise<void> {
    if (server.exitCode === null) server.kill("SIGQUIT");
    await ended;
  }
  await up();
  const started = world.move();
  return {
    folder: folder.path,
    up,
    down,
    async [Symbol.asyncDispose]() {
      await down();
      started.dispose();
    },
  };
}

async function untilItAnswers(folder: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${String(server.exitCode)}`);
    try {
      await using client = await connectTo(folder);
      await client.query("select 1");
      return;
    } catch {
      await wait(20);
    }
  }
}

export const databaseUrl = (folder: string, name: string): string =>
  `postgres://hearth:never-to-be-shown@localhost/${name}?host=${encodeURIComponent(folder)}`;

/** A connection of a test's own. */
export async function connectTo(folder: string, name = "postgres"): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl(folder, name) });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
