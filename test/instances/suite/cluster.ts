/** Instances of Hearth that share a PostgreSQL database and a bucket, behind nginx. */
import { join } from "node:path";
import { consoleToken, createHearth } from "../../faults/suite/hearth.ts";
import { patiently } from "../../faults/suite/patiently.ts";
import { request, type Reply } from "../../faults/suite/request.ts";
import { portOf } from "../../../server/contract/own-url.ts";
import { databaseUrl, startPostgres } from "../../support/store/postgres-server.ts";
import { startS3Server } from "../../support/store/s3-server.ts";
import { plainEnvironment } from "../../support/process/launch.ts";
import { freePort } from "../../support/process/free-port.ts";
import { until } from "../../faults/suite/until.ts";
import { startNginx } from "./nginx.ts";

const yearInSeconds = 365 * 24 * 3600;
/** An instance that ends goes on for so long, which is longer than nginx needs to read its configuration. */
const shutdownDelaySeconds = 5;

/** A request without an answer, or with one that says that the server is at fault. */
interface Failure {
  readonly beganAt: number;
  readonly what: string;
}

/**
 * @param folder for all data
 * @param count how many; nginx's configuration is for three
 */
export async function openCluster(folder: string, count: number) {
  await using world = new AsyncDisposableStack();
  const postgres = world.use(await startPostgres());
  const bucket = world.use(await startS3Server());
  // nginx needs to know the instances' addresses, and they need to know nginx's.
  const nginxPorts = { app: await freePort(), console: await freePort(), provider: await freePort() };
  const settings = {
    ...bucket.settings,
    database_url: databaseUrl(postgres.folder, "postgres"),
    payment_notify_url: `http://127.0.0.1:${String(nginxPorts.app)}`,
    trusted_proxies: "127.0.0.1",
    session_ttl_seconds: yearInSeconds,
    shutdown_delay_seconds: shutdownDelaySeconds,
    drain_seconds: 10,
    raffle_draw_ms: 5,
    models_dir: "",
    log_level: "info",
    record_limit: 10_000,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name.replaceAll("_", "-")}`, String(value)]);
  const instances = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const own = join(folder, `instance-${String(at + 1)}`);
      return createHearth({
        command: [process.execPath, join(import.meta.dirname, "../../../dist/cli.js")],
        inWindow: false,
        folder: own,
        dataDir: join(own, "data"),
        env: plainEnvironment(),
        flags,
      });
    }),
  );
  const started: typeof instances = [];
  world.defer(async () => void (await Promise.all(started.map((instance) => instance.end("SIGTERM")))));
  await Promise.all(
    instances.map(async (instance) => {
      await instance.start();
      started.push(instance);
    }),
  );
  const portsOf = ({ addresses }: (typeof instances)[number]) => {
    const { app, provider, console: address } = addresses();
    return { app: portOf(app), console: portOf(address), provider: portOf(provider) };
  };
  const nginx = world.use(await startNginx(join(folder, "nginx"), nginxPorts, instances.map(portsOf)));

  const failures: Failure[] = [];
  const refusals: string[] = [];
  /** Asks through nginx, by a connection of its own. @throws where there is no answer */
  async function ask(base: string, method: string, path: string, sent: Parameters<typeof request>[3] = {}) {
    const beganAt = performance.now();
    const what = `${method} ${path}`;
    try {
      const reply = await request(base, method, path, { ...sent, headers: { ...sent.headers, Connection: "close" } });
      if (reply.status < 400 || isExpected(reply)) return reply;
      const said = `${what}: ${String(reply.status)} ${JSON.stringify(reply.body)}`;
      if (reply.status < 500) refusals.push(said);
      else failures.push({ beganAt, what: said });
      return reply;
    } catch (error) {
      const { message, cause } = error as Error;
      failures.push({ beganAt, what: `${what}: ${message} ${String(cause)}` });
      throw error;
    }
  }

  const session = (
    await ask(nginx.appUrl, "POST", "/console/api/tokens", { body: { user: "buyer" }, token: consoleToken })
  ).body as { access_token: string };
  const opened = world.move();
  return {
    instances,
    nginx,
    bucket,
    failures,
    /** What was refused, although the clients do nothing wrong. */
    refusals,
    /** A request of a client by nginx, as a user who has logged in. */
    client: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      ask(nginx.appUrl, method, `/api${path}`, { body, headers, token: session.access_token }),
    /** The same with a session of its own, or none. */
    as: (token: string | undefined, method: string, path: string, body?: unknown) =>
      ask(nginx.appUrl, method, `/api${path}`, { body, token }),
    api: patiently((method: string, path: string, body?: unknown) =>
      ask(nginx.appUrl, method, `/api${path}`, { body, token: session.access_token }),
    ),
    console: patiently((method: string, path: string, body?: unknown) =>
      ask(nginx.appUrl, method, `/console/api${path}`, { body, token: consoleToken }),
    ),
    sim: (method: string, path: string, body?: unknown) =>
      ask(nginx.providerUrl, method, `/sim${path}`, { body, token: consoleToken }),
    appUrl: () => nginx.appUrl,
    databases: [],
    /** Settles when each instance takes requests. */
    async allReady(): Promise<void> {
      for (const { addresses } of instances)
        await until("every instance to be ready", async () =>
          (await fetch(`${addresses().app}/readyz`)).ok ? true : undefined,
        );
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** A busy machine sends clients away for a moment; a raffle has one draw at a time, and an end. */
const isExpected = ({ body }: Reply) =>
  ["overloaded", "drawing", "no_prizes_left"].includes((body as { code?: string }).code ?? "");
