/** Faults of the identity API. */
import { z } from "zod";
import { conditions } from "../messages/en/conditions.ts";
import { list } from "../bounded-lists.ts";
import { identityFault, pauseMs } from "./sim-fault-parts.ts";

/** Calls of the identity API, by the last part of their paths. */
const identityCall = z.enum([
  "jscode2session",
  "token",
  "stable_token",
  "getuserphonenumber",
  "checksession",
  "resetusersessionkey",
  "getwxacode",
  "getwxacodeunlimit",
  "createwxaqrcode",
  "generatescheme",
  "generate_urllink",
  "genwxashortlink",
  "subscribe_send",
  "msg_sec_check",
  "media_check_async",
  "upload_shipping_info",
  "upload_combined_shipping_info",
  "get_order",
  "get_order_list",
  "notify_confirm_receive",
  "set_msg_jump_path",
  "is_trade_managed",
  "is_trade_management_confirmation_completed",
  "opspecialorder",
]);
export type IdentityCall = z.infer<typeof identityCall>;

/** The documented refusals of the identity API. */
export const identityErrcode = z.literal(
  [
    -1, 40001, 40002, 40003, 40013, 40014, 40029, 40125, 40163, 40164, 40226, 41001, 41002, 41004, 41008, 42001, 43002,
    44002, 45009, 45011, 47001, 48001, 87009,
  ],
  { error: conditions["is.errcode"] },
);
export type IdentityErrcode = z.infer<typeof identityErrcode>;

const calls = list(identityCall).min(1).optional().describe("Calls that the fault hits. Default: all.");

export const identityFaultSchemas = [
  identityFault(
    "identity_errcode",
    "The platform refuses the call before it checks anything. A login code stays valid.",
    z.strictObject({
      calls,
      errcode: identityErrcode.describe(
        "Value of errcode. -1: system busy. 45011: too many calls per minute. 40029: invalid code …",
      ),
    }),
  ),
  identityFault(
    "identity_slow",
    "The reply is slow.",
    z.strictObject({ calls, delay_ms: pauseMs.describe("Delay in milliseconds.") }),
  ),
  identityFault(
    "identity_http_status",
    "A gateway returns an HTTP error.",
    z.strictObject({ calls, status: z.int().min(400).max(599).default(500).describe("HTTP status.") }),
  ),
  identityFault("identity_no_answer", "The platform accepts the request and never replies.", z.strictObject({ calls })),
  identityFault("identity_reset", "The connection is reset instead of a reply.", z.strictObject({ calls })),
  identityFault(
    "identity_truncated",
    "The call succeeds, and its reply breaks off halfway.",
    z.strictObject({ calls }),
  ),
] as const;
