/**
 * Stands in for the engine's test of its own binary in a packaged program. Before it loads its prebuilt binary, the
 * engine tries it in a forked process, lest a binary that does not fit the system takes its user down. A packaged
 * program cannot fork Node (the fuse RunAsNode is off, as Electron advises), and needs no test: it ships one binary, and
 * the runner is a process that may crash.
 */
import childProcess, { type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";

const testScript = "testBindingBinary.js";
/** What the tested process says to each thing it is told. */
const replies: Record<string, string> = { start: "loaded", test: "done" };

/** A process that has passed the test before it began. */
function passedTest(): ChildProcess {
  const child = new EventEmitter();
  const say = (type: string) => void setImmediate(() => child.emit("message", { type }));
  const send = ({ type }: { type: string }) => {
    const reply = replies[type];
    if (reply !== undefined) say(reply);
    else setImmediate(() => child.emit("exit", 0));
    return true;
  };
  say("ready");
  return Object.assign(child, { send, exitCode: null, killed: false, kill: () => true }) as unknown as ChildProcess;
}

/** To be called before the engine is imported; does nothing outside a packaged program. */
export function answerBinaryTest(isPackaged = import.meta.url.includes("app.asar")): void {
  if (!isPackaged) return;
  const { fork } = childProcess;
  const forkOrAnswer = (...call: Parameters<typeof fork>) =>
    basename(String(call[0])) === testScript ? passedTest() : fork(...call);
  Object.assign(childProcess, { fork: forkOrAnswer });
  syncBuiltinESMExports();
}
