/** The English catalogue. Its keys are the codes of all messages. */
import { conditions } from "./en/conditions.ts";
import { consoleTexts } from "./en/console.ts";
import { devices } from "./en/devices.ts";
import { features } from "./en/features.ts";
import { history } from "./en/history.ts";
import { payments } from "./en/payments.ts";
import { problems } from "./en/problems.ts";
import { requests } from "./en/requests.ts";
import { schemas } from "./en/schemas.ts";
import { settingTexts } from "./en/settings.ts";
import { traffic } from "./en/traffic.ts";
import { textsOf } from "./entries.ts";

export const catalogue = {
  ...conditions,
  ...consoleTexts,
  ...devices,
  ...features,
  ...history,
  ...payments,
  ...problems,
  ...requests,
  ...schemas,
  ...settingTexts,
  ...traffic,
};

type Catalogue = typeof catalogue;
/** Codes of refusals, whose entries have a status. */
export type CodeOfRefusal = {
  [Code in keyof Catalogue]: Catalogue[Code] extends string ? never : Code;
}[keyof Catalogue];

export const english = textsOf(catalogue);
