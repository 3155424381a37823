/** The API of WeChat Pay, version 3: signed calls, verified replies and notifications, and the bill of a day. */
import { createDecipheriv, createHash, createSign, createVerify, randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";

const platform = process.env.HEARTH_PROVIDER_URL;
/** With the real platform these are your own merchant's keys. */
export const keys = await (await fetch(`${platform}/sim/credentials`)).json();
/** By serial. While a merchant switches to the platform's public key, either may sign. */
const platformKeys = new Map([
  [keys.platform_serial, keys.platform_certificate],
  [keys.platform_public_key_id, keys.platform_public_key],
]);
const callTimeoutMs = 3_000;
const maxAgeSeconds = 300;

export class Refusal extends Error {
  constructor(status, message, code) {
    super(message);
    Object.assign(this, { status, code });
  }
}

function authorization(method, target, body) {
  const [timestamp, nonce] = [Math.floor(Date.now() / 1000), randomBytes(16).toString("hex")];
  const signature = createSign("RSA-SHA256")
    .update(`${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`)
    .sign(keys.merchant_private_key, "base64");
  return `WECHATPAY2-SHA256-RSA2048 mchid="${keys.mch_id}",nonce_str="${nonce}",timestamp="${timestamp}",serial_no="${keys.merchant_serial}",signature="${signature}"`;
}

/** Whether the platform signed the body a short time ago. */
function isGenuine(header, body) {
  const key = platformKeys.get(header("wechatpay-serial"));
  const timestamp = header("wechatpay-timestamp");
  if (!key || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds)) return false;
  return createVerify("RSA-SHA256")
    .update(`${timestamp}\n${header("wechatpay-nonce")}\n${body}\n`)
    .verify(key, header("wechatpay-signature") ?? "", "base64");
}

async function send(method, target, content) {
  const body = content ? JSON.stringify(content) : "";
  const headers = { Authorization: authorization(method, target, body), "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(callTimeoutMs);
  const response = await fetch(platform + target, { method, headers, signal, ...(body && { body }) });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** @throws Refusal with the platform's code, or without one where nobody knows what the platform did */
export async function call(method, target, content) {
  const { response, bytes } = await send(method, target, content).catch(() => {
    throw new Refusal(502, "the platform did not answer");
  });
  const text = bytes.toString();
  if (!isGenuine((name) => response.headers.get(name), text)) throw new Refusal(502, "a reply without a signature");
  const reply = text ? JSON.parse(text) : {};
  if (!response.ok) throw new Refusal(502, `the platform refused: ${reply.code}`, reply.code);
  return reply;
}

/** @returns what the platform says. @throws Refusal */
export function open(req) {
  if (!isGenuine((name) => req.get(name), req.body)) throw new Refusal(401, "not the platform's");
  const { ciphertext, nonce, associated_data } = JSON.parse(req.body).resource;
  const sealed = Buffer.from(ciphertext, "base64");
  const decipher = createDecipheriv("aes-256-gcm", keys.api_v3_key, nonce, { authTagLength: 16 });
  decipher.setAAD(Buffer.from(associated_data)).setAuthTag(sealed.subarray(-16));
  return JSON.parse(decipher.update(sealed.subarray(0, -16), undefined, "utf8") + decipher.final("utf8"));
}

/** @returns the lines of a day's bill, by the names of their columns */
export async function readBill(date) {
  const target = `/v3/bill/tradebill?bill_date=${date}&bill_type=ALL&tar_type=GZIP`;
  const bill = await call("GET", target).catch((error) => {
    if (error.code === "NO_STATEMENT_EXIST") return undefined;
    throw error;
  });
  if (!bill) return [];
  const { pathname, search } = new URL(bill.download_url);
  const text = gunzipSync((await send("GET", pathname + search)).bytes).toString();
  if (createHash("sha1").update(text).digest("hex") !== bill.hash_value) throw new Refusal(502, "a damaged bill");
  const [head = "", ...lines] = text.replace(/^\uFEFF/, "").split("\r\n");
  const names = head.split(",");
  const cells = (line) => line.slice(1).split(",`");
  // The last two lines are the sums.
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith("`")),
    )
    .map((line) => Object.fromEntries(cells(line).map((cell, at) => [names[at], cell])));
}

export const fen = (yuan) => Math.round(Number(yuan) * 100);
