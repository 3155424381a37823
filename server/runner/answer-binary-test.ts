/**
 * Stands in for the engine's test of its own binary where that needs no repetition. Before it loads its prebuilt binary,
 * the engine tries it in a forked process, lest a binary that does not fit the system takes its user down. That takes
 * longer than all the rest of its start. A binary for the CPU that has passed once on this machine passes again; those for
 * GPUs are tried each time, for their drivers come and go.
 *
 * A packaged program cannot fork Node (the fuse RunAsNode is off, as Electron advises), and needs no test: it ships one
 * binary, and the runner is a process that may crash.
 */
import childProcess, { type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { cpus, release } from "node:os";
import { basename } from "node:path";

const testScript = "testBindingBinary.js";

/** What the engine tells the forked process, and what that answers: ready, loaded, done, and the end after "exit". */
interface TestMessage {
  readonly type: string;
  readonly bindingBinaryPath?: string;
  readonly gpu?: unknown;
}
type Fork = typeof childProcess.fork;

/** Binaries that need no test. */
export interface PassedBinaries {
  has(message: TestMessage): boolean;
  add(message: TestMessage): void;
}

const all: PassedBinaries = { has: () => true, add: () => undefined };

/** What a test depends on: the binary and the machine. */
function identityOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return [path, size, mtimeMs, process.version, release(), cpus()[0]?.model].join(" ");
}

/** Binaries for the CPU that have passed on this machine, as a file remembers them; without the file none has. */
export function rememberedBinaries(file: string): PassedBinaries {
  return {
    has({ bindingBinaryPath: path, gpu }) {
      try {
        return gpu === false && path !== undefined && readFileSync(file, "utf8") === identityOf(path);
      } catch {
        return false;
      }
    },
    add({ bindingBinaryPath: path, gpu }) {
      if (gpu !== false || path === undefined) return;
      try {
        writeFileSync(file, identityOf(path));
      } catch {
        // It is tested again the next time.
      }
    },
  };
}

/** The test's process as the engine sees it; one is forked only for a binary that has not passed before. */
function testedProcess(fork: () => ChildProcess, passed: PassedBinaries): ChildProcess {
  const process = Object.assign(new EventEmitter(), { exitCode: null as number | null, killed: false });
  let real: ChildProcess | undefined;
  const say = (type: string) => void setImmediate(() => process.emit("message", { type }));

  function startReal(first: TestMessage): void {
    real = fork();
    real.on("message", (reply: TestMessage) => {
      if (reply.type === "done") passed.add(first);
      if (reply.type === "ready") real?.send(first);
      else process.emit("message", reply);
    });
    real.on("exit", (code) => {
      process.exitCode = code;
      process.emit("exit", code);
    });
  }
  function send(message: TestMessage): boolean {
    if (real !== undefined) return real.send(message);
    if (message.type === "start" && passed.has(message)) say("loaded");
    else if (message.type === "start") startReal(message);
    else if (message.type === "test") say("done");
    else setImmediate(() => process.emit("exit", 0));
    return true;
  }
  say("ready");
  return Object.assign(process, { send, kill: () => real?.kill("SIGKILL") ?? true }) as unknown as ChildProcess;
}

/** To be called before the engine is imported; the result takes it back. */
export function answerBinaryTest(
  remembered: PassedBinaries,
  isPackaged = import.meta.url.includes("app.asar"),
): () => void {
  const { fork } = childProcess;
  const forkOrAnswer = (...call: Parameters<Fork>) =>
    basename(String(call[0])) === testScript
      ? testedProcess(() => fork(...call), isPackaged ? all : remembered)
      : fork(...call);
  const replace = (by: unknown) => {
    Object.assign(childProcess, { fork: by });
    syncBuiltinESMExports();
  };
  replace(forkOrAnswer);
  return () => replace(fork);
}
