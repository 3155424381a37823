/** The simulator's control routes for transfers to users. Money is fen. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { simMchId } from "../sim-orders.ts";
import { transferFailure, transferState } from "./transfer-terms.ts";

const transfers = { access: "control", tag: "transfers", status: 200 } as const;
const transfer = {
  ...transfers,
  method: "POST",
  params: z.object({ transfer_bill_no: z.string() }),
  errors: [404, 409],
} as const;

const simTransferSchema = z.object({
  transfer_bill_no: z.string(),
  out_bill_no: z.string(),
  mch_id: z.string(),
  openid: z.string(),
  user_name: z.string().optional().describe("Decrypted."),
  amount: z.int(),
  remark: z.string(),
  state: transferState,
  fail_reason: transferFailure.optional(),
  package_info: z.string().describe("Passed to wx.requestMerchantTransfer."),
  created_at: z.iso.datetime(),
});
export type SimTransfer = z.infer<typeof simTransferSchema>;

/** Lists the transfers to users, newest first. */
export const listSimTransfers = endpoint({
  ...transfers,
  id: "listSimTransfers",
  method: "GET",
  path: "/sim/transfers",
  query: z.strictObject({ mch_id: simMchId.optional(), openid: z.string().optional() }),
  data: z.object({ transfers: z.array(simTransferSchema) }),
});

/** Confirms a transfer as its user. The money arrives after `refund_seconds`. */
export const confirmSimTransfer = endpoint({
  ...transfer,
  id: "confirmSimTransfer",
  path: "/sim/transfers/{transfer_bill_no}/confirm",
  data: simTransferSchema,
});

/** Lets a transfer fail. The merchant gets its money back. */
export const failSimTransfer = endpoint({
  ...transfer,
  id: "failSimTransfer",
  path: "/sim/transfers/{transfer_bill_no}/fail",
  body: z.strictObject({ reason: transferFailure.default("PAYEE_ACCOUNT_ABNORMAL") }),
  data: simTransferSchema,
});
