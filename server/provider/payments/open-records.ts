/** Opens the records of payments: merchants and their keys, orders and refunds, and calls. */
import type { Logger } from "pino";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import type { SimPaymentSettings } from "../../contract/provider/provider.ts";
import type { EventStreams } from "../../http/connection/bodies/event-streams.ts";
import type { IsToken } from "../../http/outgoing/asker.ts";
import type { Database, Instances } from "../../store/database.ts";
import type { AdjustableClock } from "../../time/adjustable-clock.ts";
import { AlipayKeys } from "./alipay/alipay-keys.ts";
import type { AlipayPeople } from "./alipay/user-calls.ts";
import { Book } from "./book/book.ts";
import { createAuthCodes } from "./buyer/auth-codes.ts";
import type { Buyers } from "./buyer/buyer-api.ts";
import { createCallLog } from "./calls/call-log.ts";
import { createRecordRefused } from "./calls/record-refused.ts";
import { Keys } from "./keys/keys.ts";
import { PlatformSigner } from "./keys/platform-signer.ts";
import { HeldMoney } from "./held-money.ts";
import { createLedger } from "./ledger/create-ledger.ts";
import { createFindOrder } from "./ledger/find-order.ts";
import { openMerchants, type Merchant } from "./merchants/merchants.ts";
import type { NotificationPoster } from "./notifier/post-notification.ts";
import { SharedOrders } from "./profit-sharing/shared-orders.ts";
import { ShipmentStore } from "./shipping/shipment-store.ts";
import type { RefusePlatform } from "./shipping/shipping-input.ts";
import type { PaymentTables } from "./payment-tables.ts";

/** Parts that most of payments share. */
export interface PaymentParts
  extends Pick<Database<PaymentTables>, "db" | "reads" | "writes">, Pick<AdjustableClock, "now" | "wakeAt"> {
  /** Those that share the database. */
  readonly instances: Instances | undefined;
  readonly settings: () => SimPaymentSettings;
  readonly log: Logger;
}

export interface PaymentPorts {
  readonly paymentSettings: () => SimPaymentSettings;
  /** The built-in app, for which the built-in merchant accepts payments. */
  readonly app: { readonly app_id: string; readonly app_secret: string };
  /** Gets the built-in merchant as it is now, and after each change. */
  readonly onBuiltIn: (merchant: Merchant) => void;
  readonly buyers: Buyers;
  /** The people whom Alipay's apps know. */
  readonly people: AlipayPeople;
  /** Makes a refusal of the platform's API for servers. */
  readonly refusePlatform: RefusePlatform;
  /** Receives the events of attempts to pay that fail, and of receiver checks that end. */
  readonly publish: (event: BusMessage<"payment.failed" | "receiver.checked" | "provider.not_simulated">) => void;
  readonly streams: EventStreams;
  /** Sends notifications. Default: over HTTP. */
  readonly poster?: NotificationPoster | undefined;
  /** Whether a text is the run's console token. */
  readonly isToken: IsToken;
}

export type PaymentRecords = Awaited<ReturnType<typeof openRecords>>;

/** @param certificateFile the path at which the newest platform certificate is stored as a file */
export async function openRecords(
  parts: PaymentParts,
  { app, onBuiltIn, buyers, publish }: PaymentPorts,
  certificateFile: string,
) {
  const { db, instances, now, log } = parts;
  const merchants = await openMerchants(db, app.app_id, onBuiltIn, instances);
  const keys = new Keys({ db, now: Date.now, certificateFile, instances });
  const signer = new PlatformSigner(keys);
  const alipayKeys = new AlipayKeys(db, Date.now);
  const authCodes = createAuthCodes(db, now);
  const callLog = createCallLog({ ...parts, isShared: instances !== undefined });
  const book = new Book(parts);
  const sharedOrders = new SharedOrders({ ...parts, book });
  const shipmentStore = new ShipmentStore(parts, app.app_id);
  const heldMoney = new HeldMoney({ book, shared: sharedOrders, shipments: shipmentStore });
  const ledger = createLedger({
    ...{ ...parts, book, holds: heldMoney },
    knowsOpenId: async (openid) => (await buyers.byOpenId(openid)) !== undefined,
    readAuthCode: (code, { version }) => authCodes.redeem(code, version === "alipay"),
    onError: (error) => log.error({ err: error }, "a change of the ledger was not processed"),
  });
  ledger.subscribe((change) => {
    if (change.kind !== "failure") return;
    const { mchId, outTradeNo, total } = change.order;
    const data = { mch_id: mchId, out_trade_no: outTradeNo, amount: total, reason: change.reason };
    publish({ type: "payment.failed", source: "/provider", subject: outTradeNo, data });
  });
  const recordRefused = createRecordRefused({ log: callLog, ledger, now });
  const findOrder = createFindOrder({ ledger, merchants });
  const makeKeys = async () => keys.make((await merchants.list()).map(({ mchId }) => mchId));
  return {
    ...{ merchants, keys, signer, alipayKeys, makeKeys, authCodes, callLog, recordRefused, findOrder },
    ...{ ledger, book, sharedOrders, shipmentStore, heldMoney },
  };
}
