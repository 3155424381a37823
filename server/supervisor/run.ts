/**
 * One run of Hearth: its three processes, the settings that connect them, and the files through which others find it.
 * It knows only each process's name, entry and contract messages.
 */
import type { LoginCode } from "../contract/console/console-logins.ts";
import { isDiskFull } from "../contract/process/disk-full.ts";
import { fromServiceSchema } from "../contract/process/process-messages.ts";
import { serviceNameSchema, type ServiceName, type ServiceStatus } from "../contract/process/services.ts";
import { settingsSchema, type Settings } from "../contract/process/settings.ts";
import { fullDiskText } from "../process/disk-room.ts";
import { drainMs } from "../process/lifetime/drain.ts";
import type { SettingOrigins } from "../process/settings/read-settings.ts";
import { unwritable } from "../process/writable-folder.ts";
import { buildStartMessage } from "./build-start-message.ts";
import type { Child, Fork } from "./processes/child.ts";
import { consoleTokenOf } from "./console-token.ts";
import { noteDatabase } from "./data-directory/database-note.ts";
import { noteVersion } from "./data-directory/data-version.ts";
import { newLoginCode } from "./login-code.ts";
import { createPortBook } from "./port-book.ts";
import { inheritedEnvironment, processEnvironment } from "./processes/process-environment.ts";
import type { ReadyFileContent } from "./ready-file.ts";
import { RunError } from "./run-error.ts";
import { RunFiles } from "./run-files.ts";
import { createRunnerSocket } from "./runner-socket.ts";
import type { ServiceRequest } from "./processes/service-process.ts";
import { SupervisedService } from "./processes/supervise.ts";
import { tryModel } from "./processes/try-model.ts";
import { defaultTimes, type SupervisionTimes } from "./processes/supervision-times.ts";

interface RunOptions {
  settings: Settings;
  /** The version of this Hearth, which the data directory remembers. */
  version: string;
  fork: Fork;
  entries: Record<ServiceName, string>;
  /** The services that run. Default: all. */
  services?: readonly ServiceName[] | undefined;
  /** Where the settings come from. */
  origins: SettingOrigins;
  /** The environment whose harmless part the processes inherit. */
  env: Readonly<Record<string, string | undefined>>;
  onLine: (service: ServiceName, line: string) => void;
  onStatus: (status: ServiceStatus) => void;
  /** Every service has reached its first settled state, and the application server is up. */
  onReady: (addresses: ReadyFileContent) => void;
  /** Something that does not end the run, in one line for a person. */
  onWarning: (message: string) => void;
  /**
   * The run cannot continue; `reason` is one line that names the setting at fault. The caller stops the run, or has it
   * leave the port `takenPort`, which another program has.
   */
  onFatal: (reason: string, takenPort?: number) => void;
  /** The caller relies on the first addresses: the run ends if another program takes a port. */
  keepsAddresses?: boolean;
  /** An application server that was up is started again when its start is refused, because nobody could request it. */
  retriesApp?: boolean;
  times?: Partial<SupervisionTimes>;
}

const keptLines = 200;

/** A service that does not run in this run is stopped from the beginning. */
const isSettled = ({ state }: ServiceStatus) => state !== "starting" && state !== "restarting";

/** Records in the data directory which Hearth and which database it belongs to. @throws RunError */
function noteInDataDir({ data_dir: dataDir, database_url: url }: Settings, version: string): void {
  try {
    noteVersion(dataDir, version);
    noteDatabase(dataDir, url);
  } catch (error) {
    throw new RunError(unwritable(`data directory ${dataDir}`, error, "--data-dir"));
  }
}

/**
 * Starts everything. The caller holds the data directory's instance lock.
 * @throws RunError when something outside the processes is wrong.
 */
export function startRun(options: RunOptions): Run {
  const files = new RunFiles(options.settings);
  files.removeStale();
  noteInDataDir(options.settings, options.version);
  return new Run(options, files);
}

/**
 * It starts, announces its addresses once every service has settled, announces them again whenever one changes, and stops
 * for good.
 */
export class Run {
  readonly #options: RunOptions;
  readonly #files: RunFiles;
  readonly #token: string;
  readonly #socket: ReturnType<typeof createRunnerSocket>;
  readonly #ports: ReturnType<typeof createPortBook>;
  readonly #lines: Record<ServiceName, string[]> = { app: [], model: [], runner: [] };
  /** The other services need the application server's address; with a free port it is known once the server listens. */
  readonly #appHasPort = Promise.withResolvers<void>();
  readonly #services: Readonly<Record<ServiceName, SupervisedService>>;
  /** All settings and their origins, once a restart has changed some. */
  #changed: Extract<ServiceRequest, { type: "restart" }>["settings"];
  /** The port for which the application server was refused last. */
  #takenPort: number | undefined;
  #stopping: Promise<void> | undefined;
  /** Aborts with the run. */
  readonly #ended = new AbortController();

  constructor(options: RunOptions, files: RunFiles) {
    const { settings, env } = options;
    this.#options = options;
    this.#files = files;
    this.#token = consoleTokenOf(env);
    this.#socket = createRunnerSocket(settings.data_dir);
    this.#ports = createPortBook(settings);
    if (this.#ports.appUrl() !== undefined) this.#appHasPort.resolve();
    this.#services = {
      app: this.#supervise("app"),
      runner: this.#supervise("runner"),
      model: this.#supervise("model"),
    };
  }

  statuses(): ServiceStatus[] {
    return serviceNameSchema.options.map((name) => this.#services[name].status());
  }

  /** `port`: the service moves there (0: any free one). */
  restart(name: ServiceName, port?: number): void {
    if (port !== undefined) this.#ports.move(name, port);
    this.#services[name].restart();
  }

  /** Starts the application server, with the simulator, on any free port in place of this one. */
  leavePort(port: number): void {
    this.#ports.leave(port);
    this.#services.app.restart();
  }

  /** The last lines that the service printed, oldest first. */
  recentLines(name: ServiceName): readonly string[] {
    return this.#lines[name];
  }

  /** Address of the console, once the application server is up. Opening it requires a login. */
  consoleAddress(): string | undefined {
    const { console } = this.#services.app.status().urls;
    return console === undefined ? undefined : `${console}/console/`;
  }

  /** A code for one login, with the console's address. @throws Error while the application server does not answer */
  async loginCode(): Promise<LoginCode> {
    const address = this.consoleAddress();
    if (address === undefined) throw new Error("the application server is not up");
    return newLoginCode(this.#withToken(address));
  }

  /** Base URLs by name (`app`, `console`, `provider`, `model`) of the services that answer now. */
  urls(): Record<string, string> {
    return Object.assign({}, ...this.statuses().map(({ urls }) => urls)) as Record<string, string>;
  }

  /** Ends every process; settles when all have ended. */
  async stop(): Promise<void> {
    return (this.#stopping ??= this.#stopAll());
  }

  /** Ends a stop under way sooner: open requests are cut. */
  hurry(): void {
    if (this.#stopping !== undefined) for (const service of Object.values(this.#services)) void service.kill();
  }

  #withToken(address: string): string {
    return `${address}?token=${this.#token}`;
  }

  #supervise(name: ServiceName): SupervisedService {
    const { settings, services, times, onLine } = this.#options;
    return new SupervisedService({
      name,
      isWanted: services?.includes(name) ?? true,
      after: name === "app" ? Promise.resolve() : this.#appHasPort.promise,
      fork: () => this.#fork(name),
      read: (raw) => fromServiceSchema.safeParse(raw).data,
      onChange: (status) => this.#publish(status),
      onLine: (line) => {
        const kept = this.#lines[name];
        if (kept.push(line) > keptLines) kept.shift();
        onLine(name, line);
      },
      onRefused: (port) => this.#nextStart(name, port),
      onRequest: (request) => this.#answer(name, request),
      times: { stopWithinMs: defaultTimes.stopWithinMs + drainMs(settings), ...times },
    });
  }

  #answer(name: ServiceName, request: ServiceRequest): void {
    if (request.type === "trial") return void this.#tryModel(name, request.file);
    const { type, service } = request;
    if (type === "lines") return this.#services[name].send({ type, service, lines: this.#lines[service] });
    this.#changed = request.settings ?? this.#changed;
    this.#ports.take(request.settings?.values ?? {});
    this.restart(service, request.port);
  }

  /** Reports a trial that ends without a result as one without a reason: the load itself then finds it. */
  async #tryModel(name: ServiceName, file: string): Promise<void> {
    const trial = tryModel(file, { fork: this.#options.fork, signal: this.#ended.signal });
    const reason = await trial.catch(() => undefined);
    this.#services[name].send({ type: "trial", file, reason });
  }

  /** @throws Error with the reason why the service cannot start */
  #fork(name: ServiceName): Child {
    const { env, entries, fork } = this.#options;
    if (name === "runner") this.#ensureSocketFolder();
    const settings = this.#changed ? settingsSchema.parse(this.#changed.values) : this.#options.settings;
    const start = buildStartMessage(name, {
      settings: { ...settings, ...this.#ports.current() },
      origins: (this.#changed?.origins as SettingOrigins | undefined) ?? this.#options.origins,
      env,
      appUrl: this.#ports.appUrl(),
      token: this.#token,
      runnerSocket: this.#socket.path,
    });
    const child = fork({
      name,
      entry: entries[name],
      env: { ...inheritedEnvironment(name, env), ...processEnvironment(name) },
    });
    child.send(start);
    return child;
  }

  /** @throws Error */
  #ensureSocketFolder(): void {
    try {
      this.#socket.ensureFolder();
    } catch (error) {
      const reason = isDiskFull(error) ? fullDiskText(error) : (error as Error).message;
      // A run that is in use goes on without its engine.
      if (!this.#files.areWritten) this.#options.onFatal(reason);
      throw new Error(reason, { cause: error });
    }
  }

  /** Decides when a service starts again that could not. */
  #nextStart(name: ServiceName, port: number | undefined) {
    const { keepsAddresses = false, retriesApp = false } = this.#options;
    if (name === "app") this.#takenPort = port;
    if (name === "app" && this.#ports.moveBack()) return "at once";
    if (port !== undefined && !keepsAddresses && this.#ports.giveUp(port)) return "at once";
    return name === "app" && this.#files.areWritten && retriesApp ? "later" : "never";
  }

  #publish(changed: ServiceStatus): void {
    this.#ports.learn(changed);
    this.#options.onStatus(changed);
    if (this.#stopping !== undefined) return;
    const services = this.statuses();
    const { app, model } = this.#services;
    for (const service of [app, model]) service.send({ type: "services", services });
    if (changed.name === "app" && isSettled(changed)) this.#appHasPort.resolve();
    if (changed.name === "app" && changed.state === "down")
      this.#options.onFatal(`the application server cannot run: ${changed.reason}`, this.#takenPort);
    else if (services.every(isSettled)) this.#announce();
  }

  /** Writes the files with the run's addresses if those have changed. */
  #announce(): void {
    const { app, provider } = this.#services.app.status().urls;
    const address = this.consoleAddress();
    if (app === undefined || provider === undefined || address === undefined) return;
    const model = this.#services.model.status().urls["model"] ?? null;
    const content = { app, provider, model, console: this.#withToken(address), pid: process.pid };
    const wasReady = this.#files.areWritten;
    const problems = this.#files.write(content);
    // A run that is in use goes on, and writes them at the next change.
    if (wasReady) for (const one of problems) this.#options.onWarning(`the addresses of this run have changed; ${one}`);
    else if (problems[0] !== undefined) this.#options.onFatal(problems[0]);
    else this.#options.onReady(content);
  }

  async #stopAll(): Promise<void> {
    const { settings } = this.#options;
    const { app, model, runner } = this.#services;
    this.#ended.abort();
    for (const service of [app, model]) service.send({ type: "drain" });
    // Answers that may go on need the engine.
    if (drainMs(settings) > 0) await model.stop();
    // The application server stops last: until then it accepts the others' last messages.
    await Promise.all([model.stop(), runner.stop()]);
    await app.stop();
    this.#socket.remove();
    this.#files.remove();
  }
}
