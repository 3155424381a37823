import { basename, dirname, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Logger } from "pino";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import { inEnglish } from "../../contract/messages/in-english.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { toHttpError } from "../../http/conventions/error-handler.ts";
import { createRouteTable, type RouteTable } from "../../http/route-table.ts";
import type { Route } from "../../http/route.ts";
import { hiddenBy, userPath, withFreeIds } from "../../http/user-routes/user-paths.ts";
import { createTurns } from "../../process/create-turns.ts";
import { findCodeFiles, watchCode } from "./code-files.ts";
import type { CodeState } from "./code-state.ts";
import { CallLost, CodeUnusable } from "./code-errors.ts";
import { CodeProcess } from "./code-process.ts";
import type { CodeCaller, CodeResult } from "./running-calls.ts";
import {
  nameOfRoute,
  type CodeAsk,
  type CodeFailure,
  type CodePlace,
  type CodeRefusal,
  type CodeRequest,
  type CodeRoute,
  type LoadedFiles,
} from "./child-messages.ts";

export interface CodeRoutesDeps {
  /** The main file, absolute. */
  readonly main: string;
  /** Operations whose paths users cannot define. */
  readonly builtIn: readonly EndpointSpec[];
  readonly routeOf: (route: CodeRoute, code: CodeRoutes) => Route;
  readonly state: CodeState;
  /** Answers what the code asks. @throws HttpError */
  readonly answer: (ask: CodeAsk) => Promise<unknown>;
  readonly bus: EventBus;
  readonly log: Logger;
}

/** That of all files of a user: who waits for them looks in one place. */
const source = "/app/collections";
/** How long calls of the code before may take to end. */
const oldCallsMs = 2_000;
/** A process that ended sooner after its start is not replaced at once. */
const shortLifeMs = 1_000;

/**
 * Serves the routes that a project's code defines. One process runs it; another takes over after a change of the files, a
 * reset, or its end. While it takes over, calls wait. Loads run one after the other until `close`.
 */
export class CodeRoutes {
  /** Resolves when the code found at the start is in service, or refused. */
  readonly opened: Promise<void>;
  readonly #deps: CodeRoutesDeps;
  readonly #inTurn = createTurns();
  readonly #stopWatching: () => void;
  #process: CodeProcess | undefined;
  /** Processes whose state counts no more. */
  readonly #replaced = new WeakSet<CodeProcess>();
  /** The files of the newest load. */
  #loaded: LoadedFiles = {};
  #routes: readonly Route[] = [];
  #table = createRouteTable([]);
  /** What has to end before a call may begin. */
  #taking: PromiseWithResolvers<void> | undefined;
  #takings = 0;
  #isClosed = false;

  constructor(deps: CodeRoutesDeps) {
    this.#deps = deps;
    this.opened = this.#replace(() => deps.state.read());
    this.#stopWatching = watchCode(
      deps.main,
      () => this.#loaded,
      () => void this.#inTurn(() => this.#load()),
    );
  }

  /** The current route table; the same object until it changes. */
  table(): RouteTable {
    return this.#table;
  }

  /** Descriptions of the routes. @param others operations whose names are taken */
  specs(others: readonly EndpointSpec[]): EndpointSpec[] {
    return withFreeIds(this.#routes, others).map(({ spec }) => spec);
  }

  /** @throws CodeError, CallLost */
  async call(route: CodeRoute, request: CodeRequest, caller: CodeCaller): Promise<CodeResult> {
    if (this.#taking) await this.#taking.promise;
    if (!this.#process) throw new CallLost("unusable");
    return this.#process.call(route, request, caller);
  }

  /** The stored state has changed. The code starts anew with it, with empty variables. */
  forget(): void {
    const old = this.#process;
    this.#process = undefined;
    if (old) {
      this.#replaced.add(old);
      void old.idle(oldCallsMs).then(() => old.end());
    }
    void this.#replace(() => this.#deps.state.read());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching();
    await this.#inTurn(async () => this.#process?.end());
  }

  /** Where in the code, for people. */
  placeText({ file, line, column }: CodePlace): string {
    return `${relative(dirname(this.#deps.main), file)}:${String(line)}:${String(column)}`;
  }

  /** Loads the code while calls wait. */
  async #replace(prepare: () => Promise<unknown>): Promise<void> {
    await this.#whileTaking(() =>
      this.#inTurn(async () => {
        await prepare();
        await this.#load();
      }),
    ).catch((error: unknown) => {
      // Other errors come from the database, which may be closing.
      if (!this.#isClosed) this.#deps.log.error({ err: error }, "the code of routes cannot be loaded");
    });
  }

  async #whileTaking<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#takings++;
    this.#taking ??= Promise.withResolvers<void>();
    try {
      return await work();
    } finally {
      if (--this.#takings === 0) {
        this.#taking.resolve();
        this.#taking = undefined;
      }
    }
  }

  async #load(): Promise<void> {
    if (this.#isClosed) return;
    const { main, log, bus } = this.#deps;
    const files = findCodeFiles(main);
    if (files.length === 0) {
      log.warn({ file: main }, `${main} does not exist: no route of it is served`);
      if (this.#routes.length > 0) bus.publish({ type: "routes.removed", source, data: { file: main } });
      this.#process?.end();
      this.#process = undefined;
      return this.#serve([]);
    }
    const next = this.#start(files);
    try {
      await next.imported;
      this.#loaded = next.loaded;
      await this.#whileTaking(() => this.#takeOver(next));
      const routes = this.#routes.length;
      log.info({ files, routes }, `${String(routes)} routes of your code are served`);
      bus.publish({ type: "routes.loaded", source, data: { file: main, routes } });
    } catch (error) {
      this.#loaded = next.loaded;
      next.end();
      if (!this.#isClosed) this.#reportUnusable(error);
    }
  }

  /** The calls of the code before end first: the state is theirs until then. @throws CodeUnusable */
  async #takeOver(next: CodeProcess): Promise<void> {
    const old = this.#process;
    await old?.idle(oldCallsMs);
    if (old) this.#replaced.add(old);
    const routes = await this.#defined(next).catch((error: unknown) => {
      if (old) this.#replaced.delete(old);
      throw error;
    });
    this.#process = next;
    this.#serve(routes);
    old?.end();
  }

  async #defined(next: CodeProcess): Promise<Route[]> {
    return this.#checked(await next.define(this.#deps.state.text));
  }

  #start(files: readonly string[]): CodeProcess {
    const { state, log, main } = this.#deps;
    const name = basename(main);
    const startedAt = performance.now();
    const started: CodeProcess = new CodeProcess(files, {
      onState: async (text) => {
        if (!this.#replaced.has(started)) await state.keep(text);
      },
      onPrint: (line, isError) => (isError ? log.warn(`${name}: ${line}`) : log.info(`${name}: ${line}`)),
      onAsk: (ask) => this.#deps.answer(ask),
      refusalFor: (error) => this.#refusalFor(error),
      onStray: (failure) => log.error(this.#textOf(failure)),
      onDeath: (reason) => {
        if (started !== this.#process) return;
        this.#process = undefined;
        log.error(`the code of routes was ended: ${reason}. It starts anew with its last state`);
        const pauseMs = performance.now() - startedAt < shortLifeMs ? shortLifeMs : 0;
        void this.#replace(() => new Promise((resolve) => setTimeout(resolve, pauseMs).unref()));
      },
    });
    return started;
  }

  #refusalFor(error: unknown): CodeRefusal {
    const { status, code, message, details } = toHttpError(error);
    if (status >= 500) this.#deps.log.error({ err: error }, "a call of the code of routes failed");
    const texts = details?.map(({ field, problem }) => ({ field, problem: inEnglish(problem) }));
    return { status, code, message, ...(texts && { details: texts }) };
  }

  #serve(routes: readonly Route[]): void {
    this.#routes = routes;
    this.#table = createRouteTable(routes);
  }

  /** @throws CodeUnusable for a route that cannot be served */
  #checked(routes: readonly CodeRoute[]): Route[] {
    const { builtIn, routeOf } = this.#deps;
    return routes.map((route) => {
      const problem = userPath.safeParse(route.path).error?.issues[0]?.message;
      const message = problem === undefined ? hiddenBy(route, builtIn) : `${nameOfRoute(route)}: the path ${problem}`;
      if (message !== undefined) throw new CodeUnusable({ message, place: route.place });
      return routeOf(route, this);
    });
  }

  #textOf({ place, message, source: text }: CodeFailure): string {
    const where = place ? `${this.placeText(place)}: ` : "";
    return `${where}${message}${text === undefined ? "" : ` in: ${text}`}`;
  }

  #reportUnusable(error: unknown): void {
    const { log, bus, main } = this.#deps;
    const inService = this.#process !== undefined;
    const kept = inService ? "its previous version stays in use" : "none of its routes are served";
    if (!(error instanceof CodeUnusable)) return log.error({ err: error }, `${main} cannot be loaded (${kept})`);
    const { failure } = error;
    log.error({ ...failure.place }, `${this.#textOf(failure)} (${kept})`);
    const { file, line, column } = failure.place ?? { file: main, line: 1, column: 1 };
    const { message } = failure;
    bus.publish({ type: "routes.failed", source, data: { file, line, column, message, in_service: inService } });
  }
}

/** A stack whose lines name the code's files, for those who look the lines up. */
export const stackOf = ({ message, stack, place }: CodeFailure): string =>
  stack?.includes("\n") === true || place === undefined
    ? (stack ?? message)
    : `${message}\n    at ${pathToFileURL(place.file).href}:${String(place.line)}:${String(place.column)}`;
