/** The fields of the calls about complaints. */
import { z } from "zod";
import { list } from "../../../contract/bounded-lists.ts";

const day = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, "must be a date like 2026-01-31");
const whole = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a number")
    .transform(Number)
    .pipe(z.number().max(max))
    .meta({ type: "integer" });
const page = { limit: whole(50).default(10), offset: whole(1e9).default(0) };
const mchid = z.string().min(1).max(64);
const longText = z.string().max(200);

export const complaintNumber = z.object({ complaint_id: z.string().min(1).max(64) });
export const complaintsQuery = z.object({
  ...page,
  begin_date: day,
  end_date: day,
  complainted_mchid: mchid.optional(),
});
export const historyQuery = z.object(page);
export const receiverBody = z.object({
  url: z
    .string()
    .max(255)
    .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), "must be an absolute http or https address"),
});
export const replyBody = z.object({
  complainted_mchid: mchid,
  response_content: longText.min(1),
  response_images: list(z.string()).max(4).optional(),
  jump_url: z.string().max(512).optional(),
  jump_url_text: z.string().max(10).optional(),
  mini_program_jump_info: z.object({ appid: z.string(), path: z.string(), text: z.string() }).optional(),
});
export const completeBody = z.object({ complainted_mchid: mchid });
export const refundDecisionBody = z.object({
  action: z.enum(["REJECT", "APPROVE"]),
  launch_refund_day: z.int().min(0).optional(),
  reject_reason: longText.optional(),
  reject_media_list: list(z.string()).max(4).optional(),
  remark: longText.optional(),
});
