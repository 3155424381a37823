/**
 * One run of Hearth: its three processes, the settings that connect them, and the files through which others find it.
 * It knows only each process's name, entry and contract messages.
 */
import { randomBytes } from "node:crypto";
import type { LoginCode } from "../contract/console/console-logins.ts";
import { isDiskFull } from "../contract/process/disk-full.ts";
import { serviceNameSchema, type ServiceName, type ServiceStatus } from "../contract/process/services.ts";
import { secretSettings, settingsSchema, type SettingName, type Settings } from "../contract/process/settings.ts";
import type { StartMessage } from "../contract/process/process-messages.ts";
import { fullDiskText } from "../process/disk-room.ts";
import { drainMs } from "../process/lifetime/drain.ts";
import { projectPathProblem } from "../process/settings/project-paths.ts";
import type { SettingOrigins } from "../process/settings/read-settings.ts";
import { unwritable } from "../process/writable-folder.ts";
import type { Child, Fork } from "./child.ts";
import { consoleTokenOf } from "./console-token.ts";
import { noteDatabase } from "./data-directory/database-note.ts";
import { noteVersion } from "./data-directory/data-version.ts";
import { newLoginCode } from "./login-code.ts";
import { createPortBook } from "./port-book.ts";
import { inheritedEnvironment, processEnvironment, secretVariables } from "./process-environment.ts";
import { removeOwnReadyFile, writeReadyFile, type ReadyFileContent } from "./ready-file.ts";
import { RunError } from "./run-error.ts";
import { removeStale, runFilesOf, unwritableFile } from "./run-files.ts";
import { createRunnerSocket } from "./runner-socket.ts";
import { defaultTimes, superviseService, type RestartRequest, type SupervisionTimes } from "./supervise.ts";

export interface RunOptions {
  settings: Settings;
  /** This Hearth's, which the data directory remembers. */
  version: string;
  fork: Fork;
  entries: Record<ServiceName, string>;
  /** Which of them run; all unless given. */
  services?: readonly ServiceName[];
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
  /** An application server that was up starts again by itself when it is refused: nobody could ask for it. */
  retriesApp?: boolean;
  times?: Partial<SupervisionTimes>;
}

export interface Run {
  statuses(): ServiceStatus[];
  /** `port`: the service moves there (0: any free one). */
  restart(name: ServiceName, port?: number): void;
  /** The application server, with the simulator, starts on any free port in place of this one. */
  leavePort(port: number): void;
  /** The last lines that the service printed, oldest first. */
  recentLines(name: ServiceName): readonly string[];
  /** Address of the console, once the application server is up. Opening it requires a login. */
  consoleAddress(): string | undefined;
  /** A code for one login, with the console's address. @throws Error while the application server does not answer */
  loginCode(): Promise<LoginCode>;
  /** Base URLs by name (`app`, `console`, `provider`, `model`) of the services that answer now. */
  urls(): Record<string, string>;
  /** Ends every process; settles when all have ended. */
  stop(): Promise<void>;
  /** Ends a stop under way sooner: open requests are cut. */
  hurry(): void;
}

const keptLines = 200;

/** A service that does not run in this run is stopped from the beginning. */
const isSettled = ({ state }: ServiceStatus) => state !== "starting" && state !== "restarting";

/**
 * Starts everything. The caller holds the data directory's instance lock.
 * @throws RunError when something outside the processes is wrong.
 */
export function startRun(options: RunOptions): Run {
  const { settings } = options;
  /** All settings since a restart that changed some, and where they come from. */
  let changed: RestartRequest["settings"];
  const runFiles = runFilesOf(settings);
  runFiles.forEach(removeStale);
  try {
    noteVersion(settings.data_dir, options.version);
    noteDatabase(settings.data_dir, settings.database_url);
  } catch (error) {
    throw new RunError(unwritable(`data directory ${settings.data_dir}`, error, "--data-dir"));
  }
  const token = consoleTokenOf(options.env);
  const sessionKey = randomBytes(32).toString("base64url");
  const socket = createRunnerSocket(settings.data_dir);
  const ports = createPortBook(settings);
  const lines: Record<ServiceName, string[]> = { app: [], model: [], runner: [] };
  let written = "";
  /** The port for which the application server was refused last. */
  let takenPort: number | undefined;
  let stopping: Promise<void> | undefined;

  /** The other services need the application server's address; with a free port it is known once the server listens. */
  const { promise: appHasPort, resolve: appFoundItsPort } = Promise.withResolvers<void>();
  if (ports.appUrl() !== undefined) appFoundItsPort();

  const statuses = () => serviceNameSchema.options.map((name) => services[name].status());
  const consoleAddress = () => {
    const { urls } = services.app.status();
    return urls["console"] === undefined ? undefined : `${urls["console"]}/console/`;
  };
  const withToken = (address: string) => `${address}?token=${token}`;

  /** The runner executes foreign weights: it gets no secret. @throws Error for a file that a project names outside its folder */
  function startOf(name: ServiceName): StartMessage {
    // In place of those of the start: a message leaves out what is set no more.
    const current = changed ? settingsSchema.parse(changed.values) : settings;
    const all: Settings = { ...current, ...ports.current() };
    const origins = { ...(changed?.origins ?? options.origins) };
    const problem = projectPathProblem(all, origins as SettingOrigins);
    if (problem !== undefined) throw new Error(problem);
    const variables = secretVariables(name, options.env, current);
    const start = { type: "start", settings: all, origins, variables, appUrl: ports.appUrl() } as const;
    if (name === "app") return { ...start, token, sessionKey };
    if (name === "model") return { ...start, token, runnerSocket: socket.path };
    const { project: _project, ...harmless } = origins as SettingOrigins;
    const isHarmless = ([setting]: [string, unknown]) => !secretSettings.has(setting as SettingName);
    const withoutSecrets = settingsSchema.parse(Object.fromEntries(Object.entries(all).filter(isHarmless)));
    return { ...start, settings: withoutSecrets, origins: { ...harmless }, runnerSocket: socket.path };
  }

  function fork(name: ServiceName): Child {
    const env = { ...inheritedEnvironment(name, options.env), ...processEnvironment(name) };
    const start = startOf(name);
    const child = options.fork({ name, entry: options.entries[name], env });
    child.send(start);
    return child;
  }

  function publish(changed: ServiceStatus): void {
    ports.learn(changed);
    options.onStatus(changed);
    if (stopping !== undefined) return;
    const all = statuses();
    for (const service of [services.app, services.model]) service.send({ type: "services", services: all });
    if (changed.name === "app" && isSettled(changed)) appFoundItsPort();
    if (changed.name === "app" && changed.state === "down")
      options.onFatal(`the application server cannot run: ${changed.reason}`, takenPort);
    else if (all.every(isSettled)) announce();
  }

  /** Writes the files with the run's addresses, again whenever an address changes. */
  function announce(): void {
    const { app, provider } = services.app.status().urls;
    const address = consoleAddress();
    if (app === undefined || provider === undefined || address === undefined) return;
    const model = services.model.status().urls["model"] ?? null;
    const content = { app, provider, model, console: withToken(address), pid: process.pid };
    const text = JSON.stringify(content);
    if (text === written) return;
    const problems = runFiles.flatMap((file) => {
      try {
        writeReadyFile(file.path, content);
        return [];
      } catch (error) {
        return [unwritableFile(file, error)];
      }
    });
    const isFirst = written === "";
    // A run that is in use goes on, and writes them at the next change.
    if (isFirst && problems[0] !== undefined) return options.onFatal(problems[0]);
    for (const problem of problems) options.onWarning(`the addresses of this run have changed, but ${problem}`);
    if (problems.length > 0) return;
    written = text;
    if (isFirst) options.onReady(content);
  }

  function restart(name: ServiceName, port?: number): void {
    if (port !== undefined) ports.move(name, port);
    services[name].restart();
  }

  /** @throws Error */
  function ensureSocketFolder(): void {
    try {
      socket.ensureFolder();
    } catch (error) {
      const reason = isDiskFull(error) ? fullDiskText(error) : (error as Error).message;
      // A run that is in use goes on without its engine.
      if (written === "") options.onFatal(reason);
      throw new Error(reason, { cause: error });
    }
  }

  const supervise = (name: ServiceName) =>
    superviseService({
      name,
      isWanted: options.services?.includes(name) ?? true,
      after: name === "app" ? Promise.resolve() : appHasPort,
      fork() {
        if (name === "runner") ensureSocketFolder();
        return fork(name);
      },
      onChange: publish,
      onLine(line) {
        if (lines[name].push(line) > keptLines) lines[name].shift();
        options.onLine(name, line);
      },
      onRefused(port) {
        if (name === "app") takenPort = port;
        if (name === "app" && ports.moveBack()) return "at once";
        if (port !== undefined && options.keepsAddresses !== true && ports.giveUp(port)) return "at once";
        return name === "app" && written !== "" && options.retriesApp === true ? "later" : "never";
      },
      onRestartRequest(request: RestartRequest) {
        changed = request.settings ?? changed;
        ports.take(request.settings?.values ?? {});
        restart(request.service, request.port);
      },
      onLinesRequest: (of) => services[name].send({ type: "lines", service: of, lines: lines[of] }),
      times: { stopWithinMs: defaultTimes.stopWithinMs + drainMs(settings), ...options.times },
    });
  const services = { app: supervise("app"), runner: supervise("runner"), model: supervise("model") };

  async function stopAll(): Promise<void> {
    for (const asked of [services.app, services.model]) asked.send({ type: "drain" });
    // Answers that may go on need the engine.
    if (drainMs(settings) > 0) await services.model.stop();
    // The application server stops last: until then it accepts the others' last messages.
    await Promise.all([services.model.stop(), services.runner.stop()]);
    await services.app.stop();
    socket.remove();
    for (const { path } of runFiles) removeOwnReadyFile(path, process.pid);
  }
  return {
    statuses,
    restart,
    leavePort(port) {
      ports.leave(port);
      services.app.restart();
    },
    recentLines: (name) => lines[name],
    consoleAddress,
    async loginCode() {
      const address = consoleAddress();
      if (address === undefined) throw new Error("the application server is not up");
      return newLoginCode(withToken(address));
    },
    urls: () => Object.assign({}, ...statuses().map(({ urls }) => urls)) as Record<string, string>,
    stop: () => (stopping ??= stopAll()),
    hurry() {
      if (stopping !== undefined) for (const service of Object.values(services)) void service.kill();
    },
  };
}
