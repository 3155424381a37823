/**
 * One run of Hearth: its three processes, what they need to find each other, and what it leaves for others to find it.
 * Knows no process by more than its name, its entry and what the contract lets it say.
 */
import { randomBytes } from "node:crypto";
import { accessSync, constants, mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { serviceNameSchema, type ServiceName, type ServiceStatus } from "../contract/services.ts";
import type { Settings } from "../contract/settings.ts";
import type { Fork } from "./child.ts";
import { createPortBook } from "./port-book.ts";
import { processEnvironment } from "./process-environment.ts";
import { writeReadyFile, type ReadyFileContent } from "./ready-file.ts";
import { createRunnerSocket } from "./runner-socket.ts";
import { superviseService, type RestartRequest, type SupervisionTimes } from "./supervise.ts";

/** A run that cannot start or go on: one line for a person. */
export class RunError extends Error {
  override readonly name = "RunError";
}

export interface RunOptions {
  settings: Settings;
  fork: Fork;
  entries: Record<ServiceName, string>;
  /** What the processes inherit. */
  env: Readonly<Record<string, string | undefined>>;
  /** The variables that hand settings to a process. */
  settingsEnv: (settings: Settings) => Record<string, string>;
  onLine: (service: ServiceName, line: string) => void;
  onStatus: (status: ServiceStatus) => void;
  /** Every service has found its state for the first time, and the application server is up. */
  onReady: (addresses: ReadyFileContent) => void;
  /** The run cannot go on; `reason` is one line that names the setting at fault. The caller stops the run. */
  onFatal: (reason: string) => void;
  times?: Partial<SupervisionTimes>;
}

export interface Run {
  statuses(): ServiceStatus[];
  /** `port`: the service moves there (0: any free one). */
  restart(name: ServiceName, port?: number): void;
  /** The last lines that the service printed, oldest first. */
  recentLines(name: ServiceName): readonly string[];
  /** Address of the console with the run's token, once the application server is up. */
  consoleAddress(): string | undefined;
  /** Base URLs by name (`app`, `provider`, `model`) of what answers now. */
  urls(): Record<string, string>;
  /** Ends every process; settles when none is left. */
  stop(): Promise<void>;
}

/** Makes the data directory. @throws RunError when it cannot be made or written. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new RunError(`data directory ${dataDir} cannot be written (${code}); choose another with --data-dir`);
  }
}

function readyFileProblem(file: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  return `ready file ${file} cannot be written (${code}); choose another with --ready-file`;
}

function removeStaleReadyFile(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
    rmSync(file, { force: true });
  } catch (error) {
    throw new RunError(readyFileProblem(file, error));
  }
}

const keptLines = 200;

const isSettled = ({ state }: ServiceStatus) => state === "up" || state === "external" || state === "down";

/**
 * Starts everything. The caller holds the data directory's instance lock.
 * @throws RunError when something outside the processes is wrong.
 */
export function startRun(options: RunOptions): Run {
  const { settings } = options;
  if (settings.ready_file !== undefined) removeStaleReadyFile(settings.ready_file);
  const token = randomBytes(32).toString("base64url");
  const socket = createRunnerSocket(settings.data_dir);
  const ports = createPortBook(settings);
  const lines: Record<ServiceName, string[]> = { app: [], model: [], runner: [] };
  let written = "";
  let stopping: Promise<void> | undefined;

  /** The others are told where the application server is: with any free port that is known once it listens. */
  const { promise: appHasPort, resolve: appFoundItsPort } = Promise.withResolvers<void>();
  if (ports.appUrl() !== undefined) appFoundItsPort();

  const statuses = () => serviceNameSchema.options.map((name) => services[name].status());
  const consoleAddress = () => {
    const { urls } = services.app.status();
    return urls["app"] === undefined ? undefined : `${urls["app"]}/console/?token=${token}`;
  };

  function envFor(name: ServiceName): Record<string, string> {
    const inherited = Object.entries(options.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const appUrl = ports.appUrl();
    return {
      ...Object.fromEntries(inherited),
      ...options.settingsEnv({ ...settings, ...ports.current() }),
      HEARTH_CONSOLE_TOKEN: token,
      ...(appUrl !== undefined && { HEARTH_APP_URL: appUrl }),
      ...(name !== "app" && { HEARTH_RUNNER_SOCKET: socket.path }),
      ...processEnvironment(name),
    };
  }

  function publish(changed: ServiceStatus): void {
    ports.learn(changed);
    options.onStatus(changed);
    if (stopping !== undefined) return;
    const all = statuses();
    for (const told of [services.app, services.model]) told.send({ type: "services", services: all });
    if (changed.name === "app" && isSettled(changed)) appFoundItsPort();
    if (changed.name === "app" && changed.state === "down")
      options.onFatal(`the application server cannot run: ${changed.reason}`);
    else if (all.every(isSettled)) announce();
  }

  /** Writes the ready file, again when an address has changed since. */
  function announce(): void {
    const { app, provider } = services.app.status().urls;
    const address = consoleAddress();
    if (app === undefined || provider === undefined || address === undefined) return;
    const model = services.model.status().urls["model"] ?? null;
    const content = { app, provider, model, console: address, pid: process.pid };
    const text = JSON.stringify(content);
    if (text === written) return;
    try {
      if (settings.ready_file !== undefined) writeReadyFile(settings.ready_file, content);
    } catch (error) {
      options.onFatal(readyFileProblem(settings.ready_file ?? "", error));
      return;
    }
    if (written === "") options.onReady(content);
    written = text;
  }

  function restart(name: ServiceName, port?: number): void {
    if (port !== undefined) ports.move(name, port);
    services[name].restart();
  }

  const supervise = (name: ServiceName) =>
    superviseService({
      name,
      after: name === "app" ? Promise.resolve() : appHasPort,
      fork() {
        if (name === "runner") socket.ensureFolder();
        return options.fork({ name, entry: options.entries[name], env: envFor(name) });
      },
      healthTargets: (urls) =>
        name === "runner" ? [{ socketPath: socket.path }] : Object.values(urls).map((url) => ({ url })),
      onChange: publish,
      onLine(line) {
        if (lines[name].push(line) > keptLines) lines[name].shift();
        options.onLine(name, line);
      },
      onRestartRequest: (request: RestartRequest) => restart(request.service, request.port),
      onLinesRequest: (of) => services[name].send({ type: "lines", service: of, lines: lines[of] }),
      ...(options.times && { times: options.times }),
    });
  const services = { app: supervise("app"), runner: supervise("runner"), model: supervise("model") };

  async function stopAll(): Promise<void> {
    // The application server last: until then it takes what the others have still to tell.
    await Promise.all([services.model.stop(), services.runner.stop()]);
    await services.app.stop();
    socket.remove();
    if (settings.ready_file !== undefined) rmSync(settings.ready_file, { force: true });
  }
  return {
    statuses,
    restart,
    recentLines: (name) => lines[name],
    consoleAddress,
    urls: () => Object.assign({}, ...statuses().map(({ urls }) => urls)) as Record<string, string>,
    stop: () => (stopping ??= stopAll()),
  };
}
