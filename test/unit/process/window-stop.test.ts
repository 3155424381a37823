import { expect, it } from "vitest";
import { stopWithinMs } from "../../../server/cli/window/start-in-window.ts";
import { resolveSettings } from "../../../server/process/settings/read-settings.ts";

it("a window is given all the time that its services may take to end", () => {
  const settings = resolveSettings({ data_dir: "/nowhere", shutdown_delay_seconds: 5, drain_seconds: 30 }, {}, "/");
  expect(stopWithinMs(settings)).toBeGreaterThanOrEqual((5 + 2 * 30) * 1_000);
});
