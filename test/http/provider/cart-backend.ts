/**
 * A version 3 merchant as somebody else would write it: routes of its own, one address for all notifications, WebCrypto
 * instead of node:crypto, platform certificates by download instead of by file, and orders found by their payment.
 */
import { X509Certificate, type webcrypto } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { readCredentials } from "../../support/payments/merchant-v3.ts";
import { listen } from "../../support/process/listen.ts";

interface Cart {
  readonly ref: string;
  readonly cents: number;
  payment?: string;
  readonly bookings: { readonly why: string }[];
}

interface Sealed {
  readonly ciphertext: string;
  readonly nonce: string;
  readonly associated_data?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const maxBytes = 100_000;
const maxSkewSeconds = 300;

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const derOf = (pem: string) => Buffer.from(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ""), "base64");

export async function startCartBackend(provider: string) {
  const { mch_id, app_id, merchant_serial, merchant_private_key, api_v3_key } = await readCredentials(provider);
  const signer = await crypto.subtle.importKey("pkcs8", derOf(merchant_private_key), rsa, false, ["sign"]);
  const sealKey = await crypto.subtle.importKey("raw", Buffer.from(api_v3_key), "AES-GCM", false, ["decrypt"]);
  const platformKeys = new Map<string, webcrypto.CryptoKey>();
  const carts: Cart[] = [];
  const locks = new Map<string, Promise<unknown>>();
  let url = "";

  async function open({ ciphertext, nonce, associated_data = "" }: Sealed): Promise<string> {
    const algorithm = { name: "AES-GCM", iv: Buffer.from(nonce), additionalData: Buffer.from(associated_data) };
    return Buffer.from(await crypto.subtle.decrypt(algorithm, sealKey, Buffer.from(ciphertext, "base64"))).toString();
  }

  async function isGenuine(header: (name: string) => string, body: string): Promise<boolean> {
    const key = platformKeys.get(header("Wechatpay-Serial"));
    const stamp = header("Wechatpay-Timestamp");
    if (!key || Math.abs(Date.now() / 1000 - Number(stamp)) > maxSkewSeconds) return false;
    const message = Buffer.from(`${stamp}\n${header("Wechatpay-Nonce")}\n${body}\n`);
    return crypto.subtle.verify(rsa, key, Buffer.from(header("Wechatpay-Signature"), "base64"), message);
  }

  async function ask(method: string, path: string, payload?: object): Promise<{ status: number; json: Json }> {
    const body = payload ? JSON.stringify(payload) : "";
    const [stamp, nonce] = [String(Math.floor(Date.now() / 1000)), crypto.randomUUID()];
    const message = Buffer.from(`${method}\n${path}\n${stamp}\n${nonce}\n${body}\n`);
    const signature = Buffer.from(await crypto.subtle.sign(rsa, signer, message)).toString("base64");
    const response = await fetch(provider + path, {
      method,
      ...(payload && { body }),
      signal: AbortSignal.timeout(15_000),
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        "User-Agent": "cart/1.0",
        Authorization: `WECHATPAY2-SHA256-RSA2048 signature="${signature}",serial_no="${merchant_serial}",timestamp="${stamp}",nonce_str="${nonce}",mchid="${mch_id}"`,
      },
    });
    const reply = await response.text();
    const isFirst = path === "/v3/certificates" && platformKeys.size === 0;
    if (!isFirst && response.ok && !(await isGenuine((name) => response.headers.get(name) ?? "", reply)))
      throw new Refused(500, "a forged reply");
    return { status: response.status, json: reply === "" ? undefined : JSON.parse(reply) };
  }

  /** Only who has the API key can seal them, so the first download needs no signature. */
  async function downloadCertificates(): Promise<void> {
    const { json } = await ask("GET", "/v3/certificates");
    for (const { serial_no, encrypt_certificate } of json.data as Json[]) {
      const { publicKey } = new X509Certificate(await open(encrypt_certificate));
      const spki = publicKey.export({ type: "spki", format: "der" });
      platformKeys.set(serial_no, await crypto.subtle.importKey("spki", spki, rsa, false, ["verify"]));
    }
  }

  async function checkout(): Promise<Json> {
    const cart: Cart = { ref: `CART|${crypto.randomUUID().slice(0, 18)}`, cents: 350, bookings: [] };
    carts.push(cart);
    const { status } = await ask("POST", "/v3/pay/transactions/jsapi", {
      mchid: mch_id,
      appid: app_id,
      out_trade_no: cart.ref,
      description: "A cart",
      notify_url: `${url}/hooks/wechat`,
      amount: { total: cart.cents },
      payer: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" },
    });
    if (status !== 200) throw new Refused(502, "no order");
    return { cart: { ref: cart.ref, cents: cart.cents } };
  }

  async function book(notice: Json): Promise<void> {
    const cart = carts.find(({ ref }) => ref === notice.out_trade_no);
    if (!cart || notice.mchid !== mch_id || notice.appid !== app_id) throw new Refused(404, "not ours");
    if (cart.bookings.length > 0 && cart.payment === notice.transaction_id) return;
    const { status, json: found } = await ask(
      "GET",
      `/v3/pay/transactions/id/${notice.transaction_id as string}?mchid=${mch_id}`,
    );
    if (status !== 200 || found.out_trade_no !== cart.ref) throw new Refused(409, "no such payment");
    if (["NOTPAY", "USERPAYING"].includes(found.trade_state)) throw new Refused(409, "not paid");
    if (found.trade_state !== "SUCCESS") return;
    for (const { amount } of [notice, found])
      if (amount?.total !== cart.cents || amount.currency !== "CNY") throw new Refused(409, "another amount");
    cart.payment = found.transaction_id;
    cart.bookings.push({ why: "paid" });
  }

  async function noteRefund(notice: Json): Promise<void> {
    if (notice.mchid !== mch_id || !carts.some(({ ref }) => ref === notice.out_trade_no))
      throw new Refused(404, "not ours");
    const { json } = await ask("GET", `/v3/refund/domestic/refunds/${encodeURIComponent(notice.out_refund_no)}`);
    if (json.out_trade_no !== notice.out_trade_no || json.status !== notice.refund_status)
      throw new Refused(409, "no such refund");
  }

  async function takeNotice({ headers }: IncomingMessage, body: string): Promise<void> {
    if (body.length > maxBytes) throw new Refused(413, "too much");
    if (!(await isGenuine((name) => String(headers[name.toLowerCase()] ?? ""), body))) throw new Refused(401, "forged");
    const { event_type, resource } = JSON.parse(body);
    const notice = JSON.parse(await open(resource));
    const turn = (locks.get(notice.out_trade_no) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => (String(event_type).startsWith("REFUND.") ? noteRefund(notice) : book(notice)));
    locks.set(notice.out_trade_no, turn);
    await turn;
  }

  async function route(req: IncomingMessage, body: string): Promise<Json> {
    const { pathname, searchParams } = new URL(req.url ?? "/", url);
    if (req.method === "PUT" && pathname === "/shop/checkout") return checkout();
    if (req.method === "POST" && pathname === "/hooks/wechat") {
      await takeNotice(req, body);
      return { code: "SUCCESS", message: "成功" };
    }
    if (pathname === "/shop/carts") return { carts: carts.filter(({ ref }) => ref === searchParams.get("ref")) };
    throw new Refused(404, "nothing here");
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const reply = (status: number, value: unknown) =>
      res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    try {
      reply(200, await route(req, await text(req)));
    } catch (error) {
      reply(error instanceof Refused ? error.status : 500, { code: "FAIL", message: (error as Error).message });
    }
  }

  const listener = await listen((req, res) => void handle(req, res));
  url = listener.url;
  await downloadCertificates();
  return { url, carts, [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() };
}
