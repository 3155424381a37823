/**
 * Replaces the engine's test of its own binary where the test need not be repeated. Before it loads its prebuilt
 * binary, the engine tries it in a forked process, because a binary that does not fit the system would crash its user.
 * That test takes longer than the rest of the engine's start. A binary for the CPU that has passed once on this machine
 * passes again; binaries for GPUs are tested each time, because drivers change.
 *
 * A packaged program cannot fork Node (the fuse RunAsNode is off, as Electron advises), and needs no test: it ships one
 * binary, a downloaded one for a GPU is tried under a note (gpu-engine.ts), and the runner is a process that may crash.
 */
import childProcess, { type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { cpus, release } from "node:os";
import { basename } from "node:path";

const testScript = "testBindingBinary.js";

/** A message to the forked process ("start", "test", "exit"), or its reply ("ready", "loaded", "done"). */
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

/** Identifies what a test depends on: the binary and the machine. */
function identityOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return [path, size, mtimeMs, process.version, release(), cpus()[0]?.model].join(" ");
}

/** CPU binaries that have passed on this machine, stored in a file. Without the file, none has passed. */
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
        // It is tested again next time.
      }
    },
  };
}

/** A stand-in for the test's process. It forks a real one only for a binary that has not passed before. */
function testedProcess(fork: () => ChildProcess, passed: PassedBinaries): ChildProcess {
  const process = Object.assign(new EventEmitter(), { exitCode: null as number | null, killed: false });
  let real: ChildProcess | undefined;
  const emitSoon = (type: string) => void setImmediate(() => process.emit("message", { type }));

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
    if (message.type === "start" && passed.has(message)) emitSoon("loaded");
    else if (message.type === "start") startReal(message);
    else if (message.type === "test") emitSoon("done");
    else setImmediate(() => process.emit("exit", 0));
    return true;
  }
  emitSoon("ready");
  return Object.assign(process, { send, kill: () => real?.kill("SIGKILL") ?? true }) as unknown as ChildProcess;
}

/** Call it before the engine is imported. The result restores `fork`. */
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
