/** One process of the code of routes, from its start to its end. */
import { dirname } from "node:path";
import {
  nameOfRoute,
  type CodeAsk,
  type CodeFailure,
  type CodeRefusal,
  type CodeRequest,
  type CodeRoute,
  type FromChild,
  type LoadedFiles,
  type ToChild,
} from "./child-messages.ts";
import { CallLost, CodeError, CodeUnusable } from "./code-errors.ts";
import { RunningCalls, type CodeCaller, type CodeResult, type RunningCall } from "./running-calls.ts";
import { heapMb, kit, startProcess, type CodeChild } from "./start-process.ts";

const checkEveryMs = 250;
/** Its last messages arrive by then. */
const lastMessagesMs = 500;
/** For loading, and again for adding the routes. */
const loadingMs = 10_000;
/** A call that has not begun by then waits for code outside of handlers. */
const startingMs = 2_000;
const mostCalls = 1_000;

interface Listeners {
  /** Called with the state's JSON. A call's answer waits for it. */
  readonly onState: (text: string) => Promise<void>;
  readonly onPrint: (line: string, isError: boolean) => void;
  readonly onAsk: (ask: CodeAsk) => Promise<unknown>;
  readonly refusalFor: (error: unknown) => CodeRefusal;
  readonly onStray: (failure: CodeFailure) => void;
  /** Called once, when the process has ended otherwise than by `end`. */
  readonly onDeath: (reason: string) => void;
}

/** States: importing, defining, serving, ended. `call` needs a serving one. */
export class CodeProcess {
  /** The loaded files, also of code that cannot be used. */
  loaded: LoadedFiles = {};
  /** Resolves once the files are loaded. Rejects with CodeUnusable. */
  readonly imported: Promise<void>;
  routes: readonly CodeRoute[] = [];
  readonly #main: string;
  readonly #listeners: Listeners;
  readonly #process: CodeChild;
  readonly #imported = Promise.withResolvers<void>();
  readonly #defined = Promise.withResolvers<void>();
  readonly #calls = new RunningCalls();
  readonly #check: NodeJS.Timeout;
  #loading: NodeJS.Timeout;
  /** The last that it wrote to stderr by itself: V8 explains its end there. */
  #lastWords = "";
  #isEnded = false;

  constructor(files: readonly string[], listeners: Listeners) {
    this.#main = files[0] ?? "";
    this.#listeners = listeners;
    this.#process = startProcess(dirname(this.#main));
    this.imported = this.#imported.promise;
    for (const promise of [this.imported, this.#defined.promise]) promise.catch(() => undefined);
    this.#process.stdout?.resume();
    this.#process.stderr?.on(
      "data",
      (bytes: Buffer) => (this.#lastWords = (this.#lastWords + bytes.toString()).slice(-8_192)),
    );
    this.#process.on("message", (message) => this.#take(message as FromChild));
    this.#process.on("error", (error) => this.#die(`its process cannot run: ${error.message}`));
    this.#process.once("exit", (code, signal) => void this.#end(code, signal));
    this.#send({ type: "load", files, kit });
    this.#check = setInterval(() => {
      if (this.#calls.isStuck(startingMs)) this.#die("it runs outside of handlers and lets none begin");
    }, checkEveryMs).unref();
    this.#loading = this.#limitLoading();
  }

  /** Adds the routes, which may change the state. @throws CodeUnusable */
  async define(state: string): Promise<readonly CodeRoute[]> {
    clearTimeout(this.#loading);
    this.#loading = this.#limitLoading();
    this.#send({ type: "define", state });
    await this.#defined.promise;
    clearTimeout(this.#loading);
    return this.routes;
  }

  /** @throws CodeError, CallLost */
  call(route: CodeRoute, request: CodeRequest, caller: CodeCaller): Promise<CodeResult> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) return reject(new CallLost("restarting"));
      if (this.#calls.size >= mostCalls) return reject(new CallLost("busy"));
      const id = this.#calls.add({ route, caller, sentAt: performance.now(), resolve, reject });
      this.#send({ type: "call", id, route: nameOfRoute(route), request });
      const leave = () => {
        this.#send({ type: "left", id });
        this.#calls.drop(id)?.reject(new CallLost("restarting"));
      };
      caller.reader?.left.addEventListener("abort", leave, { once: true });
    });
  }

  /** Resolves when no call runs, or after the time. Streams do not count. */
  idle(withinMs: number): Promise<void> {
    return this.#calls.idle(withinMs);
  }

  /** Ends the process. Its calls are lost. */
  end(): void {
    this.#isEnded = true;
    clearInterval(this.#check);
    clearTimeout(this.#loading);
    this.#calls.rejectAll(() => new CallLost("restarting"));
    this.#process.kill("SIGKILL");
  }

  #send(message: ToChild): void {
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }

  #limitLoading(): NodeJS.Timeout {
    const reason = `the file is not loaded after ${String(loadingMs / 1_000)} s`;
    return setTimeout(() => this.#die(reason), loadingMs).unref();
  }

  #take(message: FromChild): void {
    if (this.#isEnded) return;
    switch (message.type) {
      case "imported":
        clearTimeout(this.#loading);
        this.loaded = message.files;
        return this.#imported.resolve();
      case "defined":
        this.routes = message.routes;
        return void this.#keep(message.state).then(this.#defined.resolve, this.#defined.reject);
      case "unusable":
        this.loaded = message.files;
        return this.#refuse(message.failure);
      case "began":
        return this.#begin(message.id);
      case "printed":
        return this.#listeners.onPrint(message.line, message.isError);
      case "stray":
        return this.#listeners.onStray(message.failure);
      case "answered":
        return this.#finish(message, (call) => call.resolve({ answer: message.answer }));
      case "refused":
        return this.#finish(message, (call) => call.resolve({ refusal: message.refusal }));
      case "invalid":
        return this.#finish(message, (call) => call.resolve({ problems: message.problems }));
      case "ask":
        return void this.#tell(message.id, () => this.#listeners.onAsk(message.ask));
      case "pay":
        return void this.#tell(message.id, () => this.#pay(message));
      case "opened":
        return this.#open(message.id);
      case "event":
        return void this.#tell(message.id, () => this.#write(message));
      case "failed":
        return this.#finish(message, (call) => call.reject(new CodeError("failed", message.failure)));
    }
  }

  async #tell(id: number, find: () => Promise<unknown>): Promise<void> {
    try {
      this.#send({ type: "told", id, value: await find() });
    } catch (error) {
      this.#send({ type: "told", id, refusal: this.#listeners.refusalFor(error) });
    }
  }

  /** From now on the call is a stream. */
  #open(id: number): void {
    const call = this.#calls.drop(id);
    if (!call) return;
    try {
      call.caller.reader?.open();
      this.#calls.addStream(id, call);
    } catch (error) {
      this.#send({ type: "left", id });
      call.reject(error);
    }
  }

  async #write({ call, frame, state }: Extract<FromChild, { type: "event" }>): Promise<boolean> {
    await this.#keep(state);
    return (await this.#calls.find(call)?.caller.reader?.write(frame)) ?? false;
  }

  async #pay({ call, order }: Extract<FromChild, { type: "pay" }>): Promise<unknown> {
    const running = this.#calls.find(call);
    if (!running) throw new CallLost("restarting");
    return running.caller.pay(order);
  }

  #begin(id: number): void {
    const call = this.#calls.find(id);
    if (!call) return;
    const { deadlineMs, place } = call.route;
    call.deadline = setTimeout(() => {
      const message = `the handler has not answered after ${String(deadlineMs)} ms`;
      this.#calls.drop(id)?.reject(new CodeError("deadline", { message, place }));
      const reason = `${nameOfRoute(call.route)} has passed its deadline of ${String(deadlineMs)} ms`;
      this.#die(reason, () => new CallLost("restarting"));
    }, deadlineMs).unref();
  }

  #finish({ id, state }: { readonly id: number; readonly state?: string }, settle: (call: RunningCall) => void): void {
    const call = this.#calls.drop(id);
    if (!call) return;
    if (state === undefined) settle(call);
    else this.#keep(state).then(() => settle(call), call.reject);
  }

  #keep(state: string | undefined): Promise<void> {
    return state === undefined ? Promise.resolve() : this.#listeners.onState(state);
  }

  #refuse(failure: CodeFailure): void {
    const error = new CodeUnusable(failure);
    this.#imported.reject(error);
    this.#defined.reject(error);
  }

  /** It has ended by itself: calls that ran get an error, those that waited can be repeated. */
  async #end(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#process.connected) this.#process.once("disconnect", resolve);
    else resolve();
    const late = setTimeout(resolve, lastMessagesMs);
    await promise;
    clearTimeout(late);
    this.#die(this.#reasonOf(code, signal));
  }

  #reasonOf(code: number | null, signal: NodeJS.Signals | null): string {
    if (/out of memory|heap limit/i.test(this.#lastWords)) return `it used more than ${String(heapMb)} MB of memory`;
    // This process sends the signal only when it knows why.
    if (signal === "SIGKILL") return "it used too much memory";
    return `its process has ended with ${signal ?? `code ${String(code)}`}`;
  }

  #die(
    reason: string,
    errorFor = ({ deadline, route: { place } }: RunningCall): Error =>
      deadline === undefined ? new CallLost("restarting") : new CodeError("ended", { message: reason, place }),
  ): void {
    if (this.#isEnded) return;
    this.#refuse({ message: reason, place: { file: this.#main, line: 1, column: 1 } });
    this.#calls.rejectAll(errorFor);
    this.end();
    this.#listeners.onDeath(reason);
  }
}
