import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { root } from "../../build/root.ts";
import { runScript } from "../../build/processes/run-script.ts";
import { isRunning } from "../support/process/processes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const evaluate = (code: string) => runScript(["--input-type=module", "--eval", code]);

describe.runIf(process.platform === "linux")("a script of the checkout", () => {
  it("that leaves a process running fails, and that process is ended and named", async () => {
    using folder = temporaryFolder();
    const note = join(folder.path, "pid");
    using said = vi.spyOn(console, "error").mockReturnValue();
    const exitCode = await evaluate(`
      import { spawn } from "node:child_process";
      import { writeFileSync } from "node:fs";
      const left = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
      writeFileSync(${JSON.stringify(note)}, String(left.pid));
      left.unref();`);
    expect(exitCode).toBe(1);
    expect(said).toHaveBeenCalledWith(expect.stringContaining("sleep 600"));
    const pid = Number(readFileSync(note, "utf8"));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("that measures file events ends the pipeline that it compares with", async () => {
    using folder = temporaryFolder();
    const measure = JSON.stringify(join(root, "test/bench/app-file-events.ts"));
    const exitCode = await evaluate(`
      import { measureFileEvents } from ${measure};
      await measureFileEvents(${JSON.stringify(folder.path)}, ${JSON.stringify(root)}, 1);`);
    expect(exitCode).toBe(0);
  });
});
