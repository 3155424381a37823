/** The provider simulator's database: the tables of all its features. */
import { identityMigrations, type IdentityTables } from "./identity/identity-tables.ts";
import { miniProgramMigrations, type MiniProgramTables } from "./identity/mini-program/mini-program-tables.ts";
import { authCodeMigrations } from "./payments/buyer/auth-codes.ts";
import { callMigrations } from "./payments/calls/call-tables.ts";
import type { PaymentTables } from "./payments/create-payments.ts";
import { faultMigrations } from "./payments/faults/fault-tables.ts";
import { keysMigrations } from "./payments/keys/keys-table.ts";
import { ledgerMigrations } from "./payments/ledger/ledger-tables.ts";
import { merchantsMigrations } from "./payments/merchants/merchants-table.ts";
import { notifierMigrations } from "./payments/notifier/notification-tables.ts";

export type ProviderTables = IdentityTables & MiniProgramTables & PaymentTables;

export const providerMigrations = {
  ...identityMigrations,
  ...ledgerMigrations,
  ...merchantsMigrations,
  ...keysMigrations,
  ...faultMigrations,
  ...callMigrations,
  ...notifierMigrations,
  ...authCodeMigrations,
  ...miniProgramMigrations,
};
