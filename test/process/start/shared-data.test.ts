/** One data directory for every Hearth of a user: the installed program, a checkout, a global install. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newerVersion, noteVersion } from "../../../server/supervisor/data-directory/data-version.ts";
import { launchHearth } from "../../support/process/launch.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

describe("a data directory that a newer Hearth has used", () => {
  it("is not started on: the older one says who used it, and which directory to take instead, and doctor does, too", async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, "data");
    mkdirSync(data);
    noteVersion(data, "99.0.0");
    const { code, stderr } = await runCommand(["serve", "--data-dir", data]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /the data directory .* was last used by Hearth 99\.0\.0, which is newer than this version \d+\.\d+\.\d+/,
    );
    const [, offered = ""] = /--data-dir (\S+)$/m.exec(stderr) ?? [];
    expect(offered).toContain(`${data}-`);
    await using hearth = launchHearth({ dataDir: offered });
    expect(await hearth.ready()).toMatchObject({ app: expect.stringContaining("http") });
    const free = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
    const doctor = await runCommand(["doctor", "--quick", "--data-dir", data, ...free]);
    expect(doctor).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/problem +version .* last used by Hearth 99\.0\.0/),
    });
  });

  it("remembers the Hearth that uses it", async () => {
    using data = temporaryFolder();
    await using hearth = launchHearth({ dataDir: data.path });
    await hearth.ready();
    expect(newerVersion(data.path, "0.0.1")).toMatch(/^\d+\.\d+\.\d+/);
  });

  it("takes a backup back, which is of this version then", async () => {
    using folder = temporaryFolder();
    const [first, second] = [join(folder.path, "first"), join(folder.path, "second")];
    const backup = join(folder.path, "backup.tar");
    {
      await using hearth = launchHearth({ dataDir: first });
      await hearth.ready();
      expect(await runCommand(["backup", backup, "--data-dir", first])).toMatchObject({ code: 0 });
    }
    mkdirSync(second);
    writeFileSync(join(second, "written-by.json"), '{"version":"99.0.0"}');
    expect(await runCommand(["restore", backup, "--data-dir", second])).toMatchObject({ code: 0 });
    expect(newerVersion(second, "0.1.0")).toBeUndefined();
  });
});
