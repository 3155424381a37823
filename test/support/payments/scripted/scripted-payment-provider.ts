/** A payment provider that answers as the test says, behind a real listener; and the merchant's side, pointed at it. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { settingsSchema, type Settings } from "../../../../server/contract/process/settings.ts";
import { createPaymentProvider } from "../../../../server/app/payments/provider/create-payment-provider.ts";
import type { PaymentSimulator } from "../../../../server/app/payments/provider/payment-access.ts";
import { onTestFinished } from "vitest";
import { listen } from "../../process/listen.ts";
import { switchProtocols } from "../../switch-protocols.ts";

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedReply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** What becomes of a call; by hand where HTTP itself is to break. */
export type Script = (call: ReceivedCall, res: ServerResponse) => ScriptedReply | undefined;

export const paymentMerchant = {
  mch_id: "1900000109",
  app_id: "wxd930ea5d5a258f4f",
  api_v2_key: "hearthApiV2Key0123456789abcdef01",
  api_v3_key: "hearthApiV3Key0123456789abcdef01",
};

/** Settings of a run that change nothing but what is given. */
const paymentSettings = (changed: Partial<Settings> = {}): Settings => ({
  ...settingsSchema.parse({ data_dir: "unused", payment_timeout_ms: 60_000 }),
  ...changed,
});

type ClientOptions = Partial<Parameters<typeof createPaymentProvider>[0]> & Partial<Pick<PaymentSimulator, "keysV3">>;

const noKeys = () => Promise.reject(new Error("this test has no such keys"));

const clientOf = (url: string, changed: Partial<Settings>, { keysV3 = noKeys, ...more }: ClientOptions) =>
  createPaymentProvider({
    settings: paymentSettings(changed),
    simulator: { url, credentials: paymentMerchant, keysV3, keysAlipay: noKeys },
    ownUrl: () => "http://127.0.0.1:3080",
    ...more,
  });

/** A client without a provider: it reads notifications and makes pay parameters. */
export const offlineClient = (changed: Partial<Settings> = {}, more: ClientOptions = {}) =>
  clientOf("http://127.0.0.1:9", changed, more);

async function startScriptedProvider(script: Script) {
  const calls: ReceivedCall[] = [];
  const current = { script };
  let connections = 0;
  const listener = await listen((req, res) => void answer(req, res));
  listener.server.on("connection", () => connections++);

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part as Buffer);
    const call = {
      method: req.method ?? "",
      path: req.url ?? "",
      headers: req.headers,
      body: Buffer.concat(parts).toString("utf8"),
    };
    calls.push(call);
    const reply = current.script(call, res);
    if (reply) res.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  }

  return {
    url: listener.url,
    calls,
    connections: () => connections,
    answerBy: (next: Script) => void (current.script = next),
    /** The merchant's side of this provider. */
    client: (changed: Partial<Settings> = {}, more: ClientOptions = {}) => clientOf(listener.url, changed, more),
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/** A provider with this script and a client of it, both gone at the end of the test. */
export async function withScriptedProvider(script: Script, changed: Partial<Settings> = {}, more: ClientOptions = {}) {
  const scripted = await startScriptedProvider(script);
  const client = scripted.client(changed, more);
  onTestFinished(async () => {
    client.close();
    await scripted[Symbol.asyncDispose]();
  });
  return { scripted, client };
}

/** Ways in which a reply of either version does not arrive or is none, and what the merchant's side says to it. */
export const brokenTransport: readonly (readonly [string, Script, string])[] = [
  ["does not come in time", () => undefined, "timed_out"],
  ["switches protocols", (_call, res) => switchProtocols(res), "no_answer"],
  ["is a reset connection", (_call, res) => void res.destroy(), "no_answer"],
  [
    "is cut off",
    (_call, res) => {
      res.writeHead(200, { "Content-Length": "1000" });
      res.write("<xml><return_code>SUCC", () => res.destroy());
      return undefined;
    },
    "no_answer",
  ],
  [
    "stops in the midst",
    (_call, res) => {
      res.writeHead(200, { "Content-Length": "1000" }).write("<xml>");
      return undefined;
    },
    "timed_out",
  ],
  ["is longer than any", () => ({ body: "x".repeat(300_000) }), "too_long"],
  ...[429, 500, 502, 503].map(
    (status) => [`is HTTP ${String(status)}`, () => ({ status, body: "" }), "http_status"] as const,
  ),
];
