/** The provider simulator with faults, seen by a merchant that takes nothing for granted: of each call it tells what came. */
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { z } from "zod";
import type { SimFault, simFaultInputSchema } from "../../../server/contract/provider/sim-faults.ts";
import type {
  simSendingResultSchema,
  simSendingSchema,
} from "../../../server/contract/provider/sim-notification-faults.ts";
import { createAdjustableClock } from "../../../server/time/adjustable-clock.ts";
import { allowTime } from "./receivers/receiver-checks.ts";
import { createMerchantV3, type ReplyV3 } from "./merchant-v3.ts";
import { notificationReceiver } from "./notification-receiver.ts";
import { orderDetails } from "./order-details.ts";
import { fieldsOfXml, signatureV2, signedXml, type Fields } from "./payment-signatures.ts";
import { startTestProvider } from "./test-provider.ts";

export type FaultInput = z.input<typeof simFaultInputSchema>;
type Sending = z.input<typeof simSendingSchema>;
type SendingResult = z.output<typeof simSendingResultSchema>;

/** What came of a call: of version 2 the fields, of version 3 the JSON. `error`: no whole reply. */
export interface Seen {
  readonly status?: number;
  readonly text?: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly said?: any;
  readonly isSigned?: boolean;
  readonly error?: string;
}

export async function startFaultedProvider() {
  const provider = await startTestProvider({}, undefined, createAdjustableClock());
  const receiver = await notificationReceiver();
  await provider.control("PATCH", "/settings", { closeMinAgeSeconds: 0, timeScale: 0.0001, refund_seconds: 0 });
  await allowTime(provider.url);
  let v3 = await createMerchantV3(provider.url);
  const { app_id: appid, mch_id, api_v2_key: key } = v3.credentials;

  /** @param signal by which the merchant gives up */
  async function v2(path: string, fields: Fields, signal: AbortSignal | null = null): Promise<Seen> {
    const whole = { appid, mch_id, nonce_str: randomBytes(16).toString("hex"), ...fields };
    const request = fetch(`${provider.url}${path}`, { method: "POST", body: signedXml(whole, key), signal });
    return seen(request, (text) => {
      const said = fieldsOfXml(text);
      return { said, isSigned: said["sign"] !== undefined && said["sign"] === signatureV2(said, key) };
    });
  }

  /** Of a call of version 3. */
  const seenV3 = async (call: Promise<ReplyV3>): Promise<Seen> => {
    try {
      const { status, text, json, isSigned } = await call;
      return { status, text, said: json, isSigned };
    } catch (error) {
      return { error: reasonOf(error) };
    }
  };

  const order = (outTradeNo: string) => ({
    body: "Tea",
    out_trade_no: outTradeNo,
    total_fee: "101",
    spbill_create_ip: "127.0.0.1",
    notify_url: `${receiver.url}/${outTradeNo}`,
    trade_type: "NATIVE",
    product_id: "1",
  });

  const add = async (input: FaultInput): Promise<SimFault> => {
    const fault = (await provider.control("POST", "/faults", input)) as unknown as SimFault;
    expect(fault).toMatchObject({ kind: input.kind, hits: 0, spent: false });
    return fault;
  };
  const list = async () => ((await provider.control("GET", "/faults")) as { faults: SimFault[] }).faults;

  return {
    provider,
    receiver,
    v2,
    get v3() {
      return v3;
    },
    /** Opens the same storage again, at another address. */
    async restart(): Promise<void> {
      await provider.restart();
      v3 = await createMerchantV3(provider.url);
    },
    seenV3,
    add,
    list,
    /** Settles when the first fault has hit once. */
    hit: () => expect.poll(async () => (await list())[0]?.hits).toBe(1),
    clear: () => fetch(`${provider.url}/sim/faults`, { method: "DELETE" }),
    hits: async (id: number) => (await list()).find((fault) => fault.id === id)?.hits,
    place: (outTradeNo: string, changed: Fields = {}, signal?: AbortSignal) =>
      v2("/pay/unifiedorder", { ...order(outTradeNo), ...changed }, signal),
    query: (outTradeNo: string) => v2("/pay/orderquery", { out_trade_no: outTradeNo }),
    close: (outTradeNo: string) => v2("/pay/closeorder", { out_trade_no: outTradeNo }),
    refund: (outTradeNo: string, changed: Fields = {}) =>
      v2("/secapi/pay/refund", {
        out_trade_no: outTradeNo,
        out_refund_no: `R-${outTradeNo}`,
        total_fee: "101",
        refund_fee: "40",
        notify_url: `${receiver.url}/${outTradeNo}-refund`,
        ...changed,
      }),
    /** A buyer shows a code, and the merchant takes the payment. */
    async payByCode(outTradeNo: string): Promise<Seen> {
      const { auth_code } = await provider.control("POST", "/users/bob/payment-codes", {});
      const fields = { body: "Tea", out_trade_no: outTradeNo, total_fee: "101", spbill_create_ip: "127.0.0.1" };
      return v2("/pay/micropay", { ...fields, auth_code: String(auth_code) });
    },
    pay: (outTradeNo: string) => provider.control("POST", `/orders/${outTradeNo}/pay`),
    /** A version 3 order of which the receiver is told. */
    placeV3: (outTradeNo: string) => v3.place("native", outTradeNo, { notify_url: `${receiver.url}/${outTradeNo}` }),
    /** What the ledger has, whatever queries say; undefined where there is no such order. */
    stateOf: async (outTradeNo: string) =>
      ((await provider.control("GET", `/orders/${outTradeNo}`)) as { order?: { trade_state: string } }).order
        ?.trade_state,
    notificationsOf: async (outTradeNo: string) => (await orderDetails(provider, outTradeNo)).notifications,
    callsOf: async (outTradeNo: string) => (await orderDetails(provider, outTradeNo)).calls,
    send: async (outTradeNo: string, sending: Sending) =>
      (await provider.control("POST", `/orders/${outTradeNo}/notifications`, sending)) as unknown as SendingResult,
    /** What the receiver got about an order, once there are so many. */
    async received(outTradeNo: string, count = 1) {
      const own = () => receiver.received.filter(({ path }) => path === `/${outTradeNo}`);
      await expect.poll(() => own().length).toBeGreaterThanOrEqual(count);
      return own();
    },
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
export type FaultedProvider = Awaited<ReturnType<typeof startFaultedProvider>>;

/** One kind of fault: what is done, and what has to come of it. */
export interface Scenario {
  readonly params?: object;
  /** @param outTradeNo of an order of its own */
  readonly act: (outTradeNo: string) => Promise<unknown>;
}

/**
 * Adds a fault for one hit, and expects that it has hit once when the scenario has been played. It is for one order, so that
 * what is still to come of others does not meet it.
 */
export async function playOnce(test: FaultedProvider, kind: string, { params, act }: Scenario): Promise<void> {
  const outTradeNo = `TABLE-${kind.slice(0, 26)}`;
  const scope = kind.startsWith("identity_") ? {} : { scope: { out_trade_no: outTradeNo } };
  const { id } = await test.add({ kind, params, ...scope, times: 1, note: "tried" } as FaultInput);
  await act(outTradeNo);
  expect(await test.list()).toMatchObject([{ id, kind, note: "tried", hits: 1, spent: true }]);
}

async function seen(request: Promise<Response>, read: (text: string) => Partial<Seen>): Promise<Seen> {
  try {
    const response = await request;
    const text = await response.text();
    return { status: response.status, text, ...read(text) };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

/** The word by which the connection's end is told. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}
