/** The provider simulator's database: the tables of all its features. */
import { identityMigrations, type IdentityTables } from "./identity/identity-tables.ts";
import { miniProgramMigrations, type MiniProgramTables } from "./identity/mini-program/mini-program-tables.ts";
import { paymentMigrations, type PaymentTables } from "./payments/payment-tables.ts";

export type ProviderTables = IdentityTables & MiniProgramTables & PaymentTables;

export const providerMigrations = { ...identityMigrations, ...paymentMigrations, ...miniProgramMigrations };
