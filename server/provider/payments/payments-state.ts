/**
 * The saved state of payments: orders, refunds, merchants, faults, and pending notifications. Keys and certificates
 * stay, so that a client's configuration continues to work; records and codes are dropped.
 */
import { rowSchema } from "../../store/define-table.ts";
import { moveTimes } from "../../store/move-times.ts";
import type { StatePart, StateRow } from "../../store/state-part.ts";
import { payAccounts, payBalances, payPostings } from "./book/book-tables.ts";
import { payComplaintLogs, payComplaintReceivers, payComplaints } from "./complaints/complaint-tables.ts";
import { simFaults, simFaultOrders } from "./faults/fault-tables.ts";
import { payOrders, payRefunds } from "./ledger/ledger-tables.ts";
import { payMerchants } from "./merchants/merchants-table.ts";
import {
  payShareDetails,
  payShareOrders,
  payShareReceivers,
  payShareReturns,
  payShares,
  payShareSettings,
} from "./profit-sharing/share-tables.ts";
import { payTransfers } from "./transfers/transfer-tables.ts";
import { payContracts, payDeductions, payPlans } from "./papay/contract-tables.ts";
import { simPushes, simPushReceivers } from "./message-push/push-tables.ts";
import { payNotifications } from "./notifier/notification-tables.ts";
import { payShipments, simTradeManagement } from "./shipping/shipping-tables.ts";

const tables = {
  pay_orders: rowSchema(payOrders),
  pay_refunds: rowSchema(payRefunds),
  pay_balances: rowSchema(payBalances),
  pay_postings: rowSchema(payPostings),
  pay_accounts: rowSchema(payAccounts),
  pay_merchants: rowSchema(payMerchants),
  sim_faults: rowSchema(simFaults),
  sim_fault_orders: rowSchema(simFaultOrders),
  pay_notifications: rowSchema(payNotifications),
  pay_share_receivers: rowSchema(payShareReceivers),
  pay_share_orders: rowSchema(payShareOrders),
  pay_shares: rowSchema(payShares),
  pay_share_details: rowSchema(payShareDetails),
  pay_share_returns: rowSchema(payShareReturns),
  pay_share_settings: rowSchema(payShareSettings),
  pay_transfers: rowSchema(payTransfers),
  pay_contracts: rowSchema(payContracts),
  pay_deductions: rowSchema(payDeductions),
  pay_plans: rowSchema(payPlans),
  sim_push_receivers: rowSchema(simPushReceivers),
  sim_pushes: rowSchema(simPushes),
  sim_trade_management: rowSchema(simTradeManagement),
  pay_shipments: rowSchema(payShipments),
  pay_complaints: rowSchema(payComplaints),
  pay_complaint_logs: rowSchema(payComplaintLogs),
  pay_complaint_receivers: rowSchema(payComplaintReceivers),
} satisfies StatePart["tables"];

/** The columns whose times move by the age of the saved state: deadlines of pending rows, and their starts. */
function pendingTimes(table: string, row: StateRow): readonly string[] {
  switch (table) {
    case "pay_orders": {
      const isUnderWay = row["paid_at"] === null && row["ended_at"] === null;
      const times = ["expires_at", "prepay_expires_at", "password_until", "last_refund_at"];
      return isUnderWay ? ["created_at", ...times] : times;
    }
    case "pay_refunds":
      return row["status"] === "PROCESSING" ? ["created_at", "redirected_at"] : [];
    case "sim_fault_orders":
      return ["due_at"];
    case "pay_shares":
      return row["state"] === "PROCESSING" ? ["created_at", "due_at"] : [];
    case "pay_share_orders":
      return row["due_at"] === null ? [] : ["paid_at", "due_at"];
    case "pay_transfers":
      return row["due_at"] === null ? [] : ["created_at", "due_at"];
    case "pay_deductions":
      return ["created_at", "due_at"];
    case "pay_contracts":
      return row["due_at"] === null ? [] : ["signed_at", "expires_at", "due_at"];
    case "pay_notifications":
      return ["base_at", "due_at"];
    case "sim_pushes":
    case "pay_shipments":
      return ["due_at"];
    default:
      return [];
  }
}

export const paymentsState = (hooks: Pick<StatePart, "settle" | "reload">): StatePart => ({
  name: "payments",
  tables,
  shortLived: [
    "pay_media",
    "sim_push_attempts",
    "pay_auth_codes",
    "pay_attempts",
    "pay_calls",
    "pay_failures",
    "pay_check_orders",
    "pay_check_placings",
  ],
  aged: (table, row, ms) => moveTimes(row, pendingTimes(table, row), ms),
  askedFrom: (row, from) => ("notify_from" in row ? { ...row, notify_from: from } : row),
  ...hooks,
});
