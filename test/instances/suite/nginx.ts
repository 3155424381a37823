/** Debian's nginx with the configuration that the guide shows, before instances of Hearth on this machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../../faults/suite/until.ts";
import { commandLineOf, descendants, isRunning } from "../../support/process/processes.ts";

/** Debian keeps it where only root's path leads. */
const program = "/usr/sbin/nginx";
export const hasNginx = existsSync(program);

const example = fileURLToPath(new URL("../../../docs/examples/several-instances/nginx.conf", import.meta.url));
/** The guide's address of an instance and a service; the services have their usual ports there. */
const guideAddress = /server 10\.0\.0\.1(\d):(308[0-2])/g;

const serviceAt = { "3080": "app", "3081": "provider", "3082": "console" } as const;

interface Ports {
  readonly app: number;
  readonly console: number;
  readonly provider: number;
}

/**
 * @param folder for all that it writes
 * @param own ports that it listens at
 * @param ports those of the instances
 */
export async function startNginx(folder: string, own: Ports, ports: readonly Ports[]) {
  const text = readFileSync(example, "utf8");
  const file = join(folder, "nginx.conf");
  mkdirSync(folder, { recursive: true });

  /** @param down instances, from 0, that get no new requests */
  function configure(down: readonly number[]): void {
    const site = text
      .replace("listen 80;", `listen 127.0.0.1:${String(own.app)};`)
      .replace("listen 3082;", `listen 127.0.0.1:${String(own.console)};`)
      .replace("listen 3081;", `listen 127.0.0.1:${String(own.provider)};`)
      .replaceAll(guideAddress, (_, number: string, service: keyof typeof serviceAt) => {
        const at = Number(number) - 1;
        const port = ports[at]?.[serviceAt[service]];
        return `server 127.0.0.1:${String(port)}${down.includes(at) ? " down" : ""}`;
      });
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${join(folder, name)};`,
    );
    const main = [
      "daemon off;",
      ...(process.getuid?.() === 0 ? ["user root;"] : []),
      "worker_processes 2;",
      "worker_shutdown_timeout 5s;",
      `pid ${join(folder, "nginx.pid")};`,
      `error_log ${join(folder, "error.log")} warn;`,
      "events { worker_connections 4096; }",
    ];
    writeFileSync(file, [...main, "http {", "access_log off;", ...temporary, site, "}"].join("\n"));
  }

  configure([]);
  // It ends with this process, however that ends.
  const nginx = spawn("setpriv", ["--pdeathsig=TERM", program, "-c", file, "-p", folder], { stdio: "inherit" });
  const ended = once(nginx, "exit");
  const appUrl = `http://127.0.0.1:${String(own.app)}`;
  await until("nginx to answer", async () => {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${String(nginx.exitCode)}`);
    return (await fetch(`${appUrl}/livez`)).ok || undefined;
  });
  return {
    appUrl,
    providerUrl: `http://127.0.0.1:${String(own.provider)}`,
    /** Settles when these, from 0, get no new requests: the workers that still know them end with those that they have. */
    async leaveOut(down: readonly number[]): Promise<void> {
      const workers = descendants(nginx.pid as number);
      configure(down);
      nginx.kill("SIGHUP");
      const isEnding = (pid: number) => !isRunning(pid) || commandLineOf(pid).endsWith("is shutting down");
      await until("nginx to take other workers", () => workers.every(isEnding) || undefined);
    },
    /** What it has noted. */
    log: () => readFileSync(join(folder, "error.log"), "utf8"),
    async [Symbol.asyncDispose]() {
      nginx.kill("SIGTERM");
      await ended;
    },
  };
}
