/** The Chinese catalogue. A code without a translation does not compile. */
import { conditionsZh } from "./zh/conditions.ts";
import { consoleTextsZh } from "./zh/console.ts";
import { devicesZh } from "./zh/devices.ts";
import { featuresZh } from "./zh/features.ts";
import { historyZh } from "./zh/history.ts";
import { paymentsZh } from "./zh/payments.ts";
import { problemsZh } from "./zh/problems.ts";
import { requestsZh } from "./zh/requests.ts";
import { schemasZh } from "./zh/schemas.ts";
import { settingTextsZh } from "./zh/settings.ts";
import { trafficZh } from "./zh/traffic.ts";
import type { Code } from "./message.ts";

export const chinese = {
  ...conditionsZh,
  ...consoleTextsZh,
  ...devicesZh,
  ...featuresZh,
  ...historyZh,
  ...paymentsZh,
  ...problemsZh,
  ...requestsZh,
  ...schemasZh,
  ...settingTextsZh,
  ...trafficZh,
} satisfies Record<Code, string>;
