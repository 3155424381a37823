/** All texts of the console in Simplified Chinese; each page has a file of its own. */
import { apiDocs } from "./zh/api-docs.ts";
import { chat } from "./zh/chat.ts";
import { collections } from "./zh/collections.ts";
import { devices } from "./zh/devices.ts";
import { events } from "./zh/events.ts";
import { fidelity } from "./zh/fidelity.ts";
import { faultNames } from "./zh/fault-names.ts";
import { faults } from "./zh/faults.ts";
import { fileEvents } from "./zh/file-events.ts";
import { firstRun } from "./zh/first-run.ts";
import { guides } from "./zh/guides.ts";
import { models } from "./zh/models.ts";
import { overview } from "./zh/overview.ts";
import { payments } from "./zh/payments.ts";
import { phone } from "./zh/phone.ts";
import { requests } from "./zh/requests.ts";
import { settings } from "./zh/settings.ts";
import { shell } from "./zh/shell.ts";
import { uploads } from "./zh/uploads.ts";
import { users } from "./zh/users.ts";
import type { Translation } from "./en.ts";

export const zh: Translation = {
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
