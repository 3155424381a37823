import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renameFile, renameFileSync } from "../../../server/file-system/rename-file.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A system that refuses the first renames, as Windows does while another program has the file open. */
function refusing(code: string, times: number, platform: NodeJS.Platform) {
  let calls = 0;
  let pausedMs = 0;
  return {
    platform,
    rename: (from: string, to: string) => {
      calls++;
      if (calls <= times) throw Object.assign(new Error(`${code}: rename`), { code });
      renameSync(from, to);
    },
    pause: (ms: number) => void (pausedMs += ms),
    calls: () => calls,
    pausedMs: () => pausedMs,
  };
}
const inPromises = ({ platform, rename, pause }: ReturnType<typeof refusing>) => ({
  platform,
  rename: async (from: string, to: string) => rename(from, to),
  pause: async (ms: number) => pause(ms),
});

const ways = {
  renameFile: (from: string, to: string, system: ReturnType<typeof refusing>) =>
    renameFile(from, to, inPromises(system)),
  renameFileSync: async (from: string, to: string, system: ReturnType<typeof refusing>) =>
    renameFileSync(from, to, system),
};

describe.each(Object.entries(ways))("%s", (_name, rename) => {
  it.each(["EPERM", "EBUSY", "EACCES"])("outlasts %s on Windows, while another program has the file", async (code) => {
    using folder = temporaryFolder();
    const [from, to] = [join(folder.path, "a"), join(folder.path, "b")];
    writeFileSync(from, "");
    await rename(from, to, refusing(code, 3, "win32"));
    expect([existsSync(from), existsSync(to)]).toEqual([false, true]);
  });

  it("gives up on Windows with the system's error", async () => {
    const system = refusing("EPERM", Infinity, "win32");
    await expect(rename("a", "b", system)).rejects.toMatchObject({ code: "EPERM" });
    expect(system.pausedMs()).toBeGreaterThan(1_000);
    expect(system.pausedMs()).toBeLessThan(5_000);
  });

  it("does not try again what waiting cannot mend", async () => {
    for (const system of [
      refusing("ENOENT", 1, "win32"),
      refusing("EACCES", 1, "linux"),
      refusing("EPERM", 1, "darwin"),
    ]) {
      await expect(rename("a", "b", system)).rejects.toThrow("rename");
      expect(system.calls()).toBe(1);
    }
  });
});
