/** The end of a window's program in tests: whatever goes wrong, its processes are gone and one error says why. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { quitProgram } from "../support/console/quit-program.ts";
import { eventually } from "../support/eventually.ts";
import { isRunning } from "../support/process/processes.ts";

const parent = `
const { spawn } = require("node:child_process");
const { pid } = spawn(process.execPath, ["-e", "setInterval(Date, 1e6)"], { stdio: "ignore" });
console.log(pid);
setInterval(Date, 1e6);`;

/** A process with a child, neither of which quits. */
async function startStubborn() {
  const child = spawn(process.execPath, ["-e", parent], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, pids: [Number(child.pid), Number(line.toString())] };
}

const never = () => new Promise<never>(() => undefined);
const refuse = (text: string) => () => Promise.reject(new Error(text));

describe("a program that does not quit", () => {
  it.each([
    ["has accepted the request, which closes the connection to it", never, refuse("Target page has been closed")],
    ["fails at once", refuse("no connection"), refuse("no connection")],
    ["answers, but goes on", never, () => Promise.resolve("answers")],
  ])("is killed with its children when it %s", async (_title, close, evaluate) => {
    const { child, pids } = await startStubborn();
    const quitting = quitProgram({ close, evaluate } as never, child, () => "printed text", 50);
    await expect(quitting).rejects.toThrow(/The program should quit: .*\nIt printed:\nprinted text/s);
    await eventually(() => expect(pids.filter(isRunning)).toEqual([]));
  });
});
