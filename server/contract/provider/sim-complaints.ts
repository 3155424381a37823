/** The control routes for complaints, with which a test acts as the buyer. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { fen, outTradeNo } from "./payment-terms.ts";
import { notificationState, simMchId, simOfOrderQuery } from "./sim-orders.ts";

const control = { access: "control", tag: "orders", status: 200 } as const;

export const complaintState = z.enum(["PENDING", "PROCESSING", "PROCESSED"]);
export const complaintProblem = z.enum(["REFUND", "SERVICE_NOT_WORK", "OTHERS"]);

export const simComplaintSchema = z.object({
  complaint_id: z.string(),
  mch_id: z.string(),
  out_trade_no: outTradeNo,
  openid: z.string().describe("Buyer. Empty: unknown."),
  total: z.int().describe("Amount of the order, in fen."),
  state: complaintState,
  problem_type: complaintProblem,
  detail: z.string(),
  created_at: z.iso.datetime(),
  history: z.array(z.object({ at: z.iso.datetime(), operator: z.string(), type: z.string(), text: z.string() })),
  notifications: z.array(
    z.object({
      event_type: z.string(),
      action_type: z.string(),
      url: z.string(),
      state: notificationState,
      attempts: z.int(),
      problem: z.string().optional().describe("Why the receiver has not accepted the latest delivery."),
    }),
  ),
});
export type SimComplaint = z.infer<typeof simComplaintSchema>;

/** Lists the newest 100 complaints, of all merchants or about one order, newest first. */
export const listSimComplaints = endpoint({
  ...control,
  id: "listSimComplaints",
  method: "GET",
  path: "/sim/complaints",
  query: simOfOrderQuery,
  data: z.array(simComplaintSchema),
});

export const simComplaintInput = z.strictObject({
  out_trade_no: outTradeNo,
  mch_id: simMchId.optional(),
  detail: z.string().min(1).max(300).describe("Buyer's description of what has happened."),
  problem: z.string().min(1).max(100).optional().describe("Short description of the problem."),
  problem_type: complaintProblem.default("OTHERS"),
  apply_refund_amount: fen.optional().describe("Amount that the buyer wants back, in fen."),
  phone: z
    .string()
    .regex(/^\d{5,20}$/)
    .optional()
    .describe("Buyer's phone number, which the merchant gets encrypted."),
});

/** Complains as the buyer about a paid order. */
export const createSimComplaint = endpoint({
  ...control,
  id: "createSimComplaint",
  method: "POST",
  path: "/sim/complaints",
  status: 201,
  body: simComplaintInput,
  data: simComplaintSchema,
  errors: [404, 409],
});

/** Sends a message of the buyer about a complaint, or complains again after the merchant has completed it. */
export const answerSimComplaint = endpoint({
  ...control,
  id: "answerSimComplaint",
  method: "POST",
  path: "/sim/complaints/{complaint_id}/answers",
  params: z.object({ complaint_id: z.string() }),
  body: z.strictObject({ text: z.string().min(1).max(300), again: z.boolean().default(false) }),
  data: simComplaintSchema,
  errors: [404],
});
