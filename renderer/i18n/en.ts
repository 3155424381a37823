/** All texts of the console in English; each page has a file of its own. */
import { apiDocs } from "./en/api-docs.ts";
import { chat } from "./en/chat.ts";
import { collections } from "./en/collections.ts";
import { devices } from "./en/devices.ts";
import { events } from "./en/events.ts";
import { fidelity } from "./en/fidelity.ts";
import { faultNames } from "./en/fault-names.ts";
import { faults } from "./en/faults.ts";
import { fileEvents } from "./en/file-events.ts";
import { firstRun } from "./en/first-run.ts";
import { guides } from "./en/guides.ts";
import { models } from "./en/models.ts";
import { overview } from "./en/overview.ts";
import { payments } from "./en/payments.ts";
import { phone } from "./en/phone.ts";
import { requests } from "./en/requests.ts";
import { settings } from "./en/settings.ts";
import { shell } from "./en/shell.ts";
import { uploads } from "./en/uploads.ts";
import { users } from "./en/users.ts";
import type { Texts } from "./texts.ts";

export const en = {
  ...shell,
  overview,
  requests,
  events,
  phone,
  users,
  payments,
  faults,
  faultNames,
  collections,
  uploads,
  fileEvents,
  chat,
  firstRun,
  models,
  apiDocs,
  guides,
  fidelity,
  devices,
  settings,
};

/** The keys that every language provides. */
export type Translation = Texts<typeof en>;
