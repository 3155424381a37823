/** Runs an instance without a model: one process, a child of the caller's. When that ends for any reason, it ends. */
import { randomBytes } from "node:crypto";
import { optionCode, type InstanceStart } from "../contract/process/instance-start.ts";
import type { FromService } from "../contract/process/process-messages.ts";
import type { ServiceStatus } from "../contract/process/services.ts";
import type { Settings } from "../contract/process/settings.ts";
import { createNodeFork } from "../supervisor/processes/fork-node.ts";
import { inheritedEnvironment, packageVariables } from "../supervisor/processes/process-environment.ts";
import type { ServiceRequest } from "../supervisor/processes/service-process.ts";
import { SupervisedService } from "../supervisor/processes/supervise.ts";
import { RunError } from "../supervisor/run-error.ts";
import { temporaryFoldersOf } from "./instance-folder.ts";
import { ownEnvironment } from "./own-environment.ts";
import type { KitAddresses, RunningServices, StartOptions } from "./running-services.ts";
import { findCode, plainCode, type InstanceCode } from "./snapshot/instance-snapshot.ts";

const keptLines = 200;

/** The services that an instance of this kind does not have. */
const stopped = (["runner", "model"] as const).map((name): ServiceStatus => ({
  name,
  state: "stopped",
  urls: {},
  restarts: 0,
  since: new Date().toISOString(),
}));

/** Passes on what a person requests in the console: a restart of the process, perhaps with changed settings, and its last lines. */
class Instance {
  readonly service: SupervisedService;
  readonly addresses: Promise<KitAddresses>;
  readonly #folder: string;
  readonly #token = randomBytes(32).toString("base64url");
  /** Code of the next process. */
  #code: InstanceCode;
  readonly #lines: string[] = [];
  readonly #ready = Promise.withResolvers<KitAddresses>();
  #values: InstanceStart["values"];
  /** By the names of their settings, once the first process has them. */
  #ports: Readonly<Record<string, number>> = {};

  constructor({ values, folder }: StartOptions, code: InstanceCode) {
    this.#code = code;
    this.#values = values;
    this.#folder = folder;
    this.addresses = this.#ready.promise;
    this.service = new SupervisedService({
      name: "app",
      fork: () => this.#begin(),
      read: (raw) => this.#read(raw as FromService),
      onChange: (status) => this.#follow(status),
      onLine: (line) => this.#print(line),
      onRequest: (request) => this.#answer(request),
      onRefused: () => "never",
    });
  }

  #begin() {
    const env = inheritedEnvironment("app", ownEnvironment(temporaryFoldersOf(this.#folder)));
    const { nodeOptions, entry, args } = this.#code;
    const child = createNodeFork(nodeOptions, args)({ name: "app", entry, env });
    // Where Node refuses a snapshot, the next process runs without it.
    this.#code = plainCode;
    const variables = packageVariables(process.env, this.#values);
    const values = { ...this.#values, ...this.#ports };
    child.send({ type: "instance", values, folder: this.#folder, token: this.#token, variables });
    return child;
  }

  /** The child runs the same version: a check of its messages would only load zod here. */
  #read(message: FromService): FromService {
    if (message.type === "failed" && message.code === optionCode) this.#ready.reject(new RunError(message.message));
    return message;
  }

  #follow(status: ServiceStatus): void {
    this.service.send({ type: "services", services: [status, ...stopped] });
    const { app, provider, console, stand_in: standIn = null } = status.urls;
    if (status.state === "down")
      this.#ready.reject(new RunError(`the application server cannot run: ${String(status.reason)}`));
    if (app === undefined || provider === undefined || console === undefined) return;
    // The caller relies on the first addresses.
    this.#ports = Object.fromEntries(
      Object.entries(status.urls).map(([name, url]) => [`${name}_port`, Number(new URL(url).port)]),
    );
    const withToken = `${console}/console/?token=${this.#token}`;
    this.#ready.resolve({ app, provider, model: null, stand_in: standIn, console: withToken, pid: process.pid });
  }

  #print(line: string): void {
    if (this.#lines.push(line) > keptLines) this.#lines.shift();
    void import("../process/terminal/print-log.ts").then(({ createLogPrinter }) => {
      const { json = false, log_level = "info" } = this.#values as Partial<Settings>;
      createLogPrinter({ json, log_level }, process.stderr).line("app", line);
    });
  }

  #answer(request: ServiceRequest): void {
    if (request.type === "trial") return;
    if (request.type === "lines")
      return this.service.send({ ...request, lines: request.service === "app" ? this.#lines : [] });
    if (request.service !== "app") return;
    this.#values = { ...this.#values, ...request.settings?.values };
    this.service.restart();
  }
}

/** @returns once it answers @throws RunError */
export async function runInstance(options: StartOptions, { code, onReady } = findCode()): Promise<RunningServices> {
  const instance = new Instance(options, code);
  options.onStart(() => void instance.service.kill());
  try {
    const addresses = await instance.addresses;
    onReady?.();
    return { addresses, stop: async () => instance.service.stop() };
  } catch (error) {
    await instance.service.stop();
    throw error;
  }
}
