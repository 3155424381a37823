/** Small calls: who shows a payment code, a short form of a QR code's text, and reports of a client's own calls. */
import { createHash } from "node:crypto";
import type { CallV2 } from "./call-v2.ts";
import { isJson, needed, optional } from "./field-rules.ts";
import { plainReply } from "./write-reply.ts";

export interface AuthCodeOwners {
  /** The openid of the buyer who shows a code. @throws PaymentRefusal */
  readonly ownerOf: (authCode: string) => Promise<string>;
}

export const authCodeToOpenId = (authCodes: AuthCodeOwners): CallV2<string> => ({
  name: "authcodetoopenid",
  paths: ["/tools/authcodetoopenid"],
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [needed("auth_code", 128)],
  perform: ({ fields }) => authCodes.ownerOf(fields["auth_code"] ?? ""),
  reply: (openid) => ({ openid }),
});

/** The same text always has the same short form. */
const shortened = (text: string) =>
  `weixin://wxpay/s/${createHash("sha256").update(text).digest("base64url").slice(0, 8)}`;

export const shortUrl: CallV2<string> = {
  name: "shorturl",
  paths: ["/tools/shorturl"],
  missing: "LACK_PARAMS",
  malformed: "PARAM_ERROR",
  rules: [needed("long_url", 512, (text) => text.startsWith("weixin://wxpay/"))],
  perform: async ({ fields }) => shortened(fields["long_url"] ?? ""),
  reply: (short_url) => ({ short_url }),
};

/** The platform keeps the report for itself. */
export const report: CallV2<void> = {
  name: "report",
  paths: ["/payitil/report"],
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [
    needed("interface_url", 127),
    needed("user_ip", 16),
    needed("trades", 1024, isJson),
    optional("device_info", 32),
  ],
  perform: async () => undefined,
  reply: () => ({}),
  write: () => plainReply({ result_code: "SUCCESS" }),
};
