import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { expect, it, vi } from "vitest";
import { forkUtilityProcess } from "../../../electron/startup/fork-utility-process.ts";

const { forked } = vi.hoisted(() => ({ forked: vi.fn<() => EventEmitter>() }));
vi.mock("electron", () => ({ utilityProcess: { fork: forked } }));

it("a process that is killed before it is there has ended, and is killed once it is there", async () => {
  const utility: EventEmitter & { pid?: number | undefined } = new EventEmitter();
  forked.mockReturnValue(utility);
  const child = forkUtilityProcess({ name: "app", entry: "app.js", env: {} });
  child.kill();
  expect(await child.exited).toEqual({ code: null });

  const late = spawn(process.execPath, [
    "--eval",
    "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000)",
  ]);
  utility.pid = late.pid;
  utility.emit("spawn");
  expect(await once(late, "exit")).toEqual([null, "SIGKILL"]);
});
