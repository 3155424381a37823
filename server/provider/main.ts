/** The provider simulator alone, for a backend that is tested without Hearth's application server. */
import { PortInUseError } from "../http/serve.ts";
import { createAdjustableClock } from "../process/adjustable-clock.ts";
import { createLog } from "../process/log.ts";
import { connectParent, stopWithParent } from "../process/parent-link.ts";
import { readSettings, SettingsError } from "../process/read-settings.ts";
import { openProvider } from "./open-provider.ts";

try {
  const settings = readSettings();
  const log = createLog("provider", settings);
  const provider = await openProvider({ settings, log, clock: createAdjustableClock() });
  stopWithParent(connectParent(), () => provider.close());
  log.info({ provider: provider.url }, "listening");
} catch (error) {
  const advice = error instanceof PortInUseError ? ": choose another port with --provider-port" : "";
  console.error(`provider: ${(error as Error).message}${advice}`);
  process.exitCode = error instanceof SettingsError ? 2 : 1;
}
