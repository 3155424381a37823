/** The provider simulator's database: the tables of all its features. */
import { identityMigrations, type IdentityTables } from "./identity/identity-tables.ts";
import { paymentMigrations, type PaymentTables } from "./payments/payment-tables.ts";

export type ProviderTables = IdentityTables & PaymentTables;

export const providerMigrations = { ...identityMigrations, ...paymentMigrations };
