/** The right backends of merchants in other languages than Node pass each row, too. CI alone runs them. */
import { expect, it } from "vitest";
import { checkBackend, startPlatform } from "../../support/payments/backends/check-backend.ts";
import { backendLanguages, startBackend } from "../../support/payments/backends/start-backend.ts";
import { failed, rowsOf } from "../../support/payments/receivers/receiver-checks.ts";

it.each(backendLanguages.filter((language) => language !== "node"))("passes the backend in %s", async (language) => {
  await using provider = await startPlatform();
  await using backend = await startBackend(language, provider.url);
  const report = await checkBackend(provider, backend.url);
  expect([report.state, failed(report), rowsOf(report, "not_judged")]).toEqual(["done", {}, []]);
});
