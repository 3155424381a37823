/** Uploads of version 3: a form with a file and `meta`, which is signed in place of the body. */
import { createHash } from "node:crypto";
import type { MerchantV3, ReplyV3 } from "./merchant-v3.ts";

/** The smallest PNG. */
export const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

interface Upload {
  readonly filename?: string;
  readonly bytes?: Buffer;
  /** Sent in the place of the file's digest. */
  readonly digest?: string;
}

/** An upload by a merchant; the reply as `merchant.call` returns it, without its signature. */
export async function uploadV3(
  url: string,
  merchant: MerchantV3,
  path: string,
  { filename = "cup.png", bytes = picture, digest = sha256(bytes) }: Upload = {},
): Promise<ReplyV3> {
  const meta = JSON.stringify({ filename, sha256: digest });
  const { headers } = merchant.signed("POST", path, meta);
  const form = new FormData();
  form.append("meta", meta);
  form.append("file", new File([new Uint8Array(bytes)], filename, { type: "image/png" }));
  const { "Content-Type": _, ...others } = headers;
  const response = await fetch(`${url}${path}`, { method: "POST", headers: others, body: form });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text), isSigned: false };
}
