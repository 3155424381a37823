/** Whole backends of merchants: the right one of Node passes each row, and each wrong one fails that of its mistake. */
import { describe, expect, it } from "vitest";
import { checkBackend, startPlatform } from "../../support/payments/backends/check-backend.ts";
import { startBackend } from "../../support/payments/backends/start-backend.ts";
import { makeMistake, wrongBackends } from "../../support/payments/backends/wrong-backends.ts";
import { failed, rowsOf } from "../../support/payments/receivers/receiver-checks.ts";

describe.concurrent("the check of an integration", () => {
  it("passes the right backend of Node in each row", async () => {
    await using provider = await startPlatform();
    await using backend = await startBackend("node", provider.url);
    const report = await checkBackend(provider, backend.url);
    expect([report.state, failed(report), rowsOf(report, "not_judged")]).toEqual(["done", {}, []]);
  });

  it.each(wrongBackends)("fails a backend that $name in $fails", async (wrong) => {
    await using provider = await startPlatform();
    await using backend = await startBackend("node", provider.url, (folder) => makeMistake(folder, wrong));
    const report = await checkBackend(provider, backend.url);
    expect(Object.keys(failed(report))).toEqual([wrong.fails, ...(wrong.also ?? [])]);
  });
});
