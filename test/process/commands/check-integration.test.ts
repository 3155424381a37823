import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { receiverCheckSchema } from "../../../server/contract/provider/checks/receiver-checks.ts";
import { failed, rowsOf } from "../../support/payments/receivers/receiver-checks.ts";
import { freePort } from "../../support/process/free-port.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const backends = join(import.meta.dirname, "../../clients/backends");

describe("hearth check-integration", () => {
  it("starts a backend beside a Hearth of its own, and passes it in each row that it names", async () => {
    using folder = temporaryFolder();
    const port = String(await freePort());
    const [described, json] = [join(folder.path, "described.yaml"), join(folder.path, "report.json")];
    writeFileSync(
      described,
      readFileSync(join(backends, "hearth.integration.yaml"), "utf8").replace(":8080", `:${port}`),
    );
    const rows = ["genuine", "close-unpaid", "prepay-renewed", "refund-cap", "bill"];
    const { code, stdout } = await runCommand(
      [
        ...["check-integration", described, ...rows.flatMap((row) => ["--only", row]), "--json", json],
        ...["--", process.execPath, join(backends, "node/backend.mjs")],
      ],
      { PORT: port, HEARTH_DATA_DIR: join(folder.path, "none") },
    );
    const report = receiverCheckSchema.parse(JSON.parse(readFileSync(json, "utf8")));
    expect([failed(report), rowsOf(report, "not_judged"), code]).toEqual([{}, [], 0]);
    expect(rowsOf(report, "pass").toSorted()).toEqual(rows.toSorted());
    expect(stdout).toContain(`${String(rows.length)} passed, in `);
  });

  it("lists its rows without a Hearth, one on each line", async () => {
    const { code, stdout } = await runCommand(["check-integration", "--list"]);
    const lines = stdout.trimEnd().split("\n");
    expect(code).toBe(0);
    expect(lines).toHaveLength(new Set(lines).size);
    for (const row of ["place-lost-reply", "timeout-not-failed", "refund-lost-reply", "bill", "secrets"])
      expect(lines.filter((line) => line.startsWith(row))).not.toEqual([]);
  });
});
