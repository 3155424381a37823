/** The tables of payments. */
import { authCodeMigrations, type AuthCodesTables } from "./buyer/auth-codes.ts";
import { callMigrations, type CallTables } from "./calls/call-tables.ts";
import { complaintMigrations, type ComplaintTables } from "./complaints/complaint-tables.ts";
import { faultMigrations, type FaultTables } from "./faults/fault-tables.ts";
import { keysMigrations, type KeysTables } from "./keys/keys-table.ts";
import { ledgerMigrations, type LedgerTables } from "./ledger/ledger-tables.ts";
import { merchantsMigrations, type MerchantsTables } from "./merchants/merchants-table.ts";
import { contractMigrations, type ContractTables } from "./papay/contract-tables.ts";
import { shareMigrations, type ShareTables } from "./profit-sharing/share-tables.ts";
import { transferMigrations, type TransferTables } from "./transfers/transfer-tables.ts";
import { mediaMigrations, type MediaTables } from "./media/media-tables.ts";
import { pushMigrations, type PushTables } from "./message-push/push-tables.ts";
import { notifierMigrations, type NotifierTables } from "./notifier/notification-tables.ts";
import { shippingMigrations, type ShippingTables } from "./shipping/shipping-tables.ts";

export type PaymentTables = LedgerTables &
  MerchantsTables &
  KeysTables &
  CallTables &
  FaultTables &
  NotifierTables &
  ShareTables &
  TransferTables &
  AuthCodesTables &
  PushTables &
  ShippingTables &
  ComplaintTables &
  ContractTables &
  MediaTables;

export const paymentMigrations = {
  ...ledgerMigrations,
  ...merchantsMigrations,
  ...keysMigrations,
  ...faultMigrations,
  ...callMigrations,
  ...notifierMigrations,
  ...authCodeMigrations,
  ...shareMigrations,
  ...transferMigrations,
  ...pushMigrations,
  ...shippingMigrations,
  ...complaintMigrations,
  ...contractMigrations,
  ...mediaMigrations,
};
