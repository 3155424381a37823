/** Composes the simulator's payments: ledger, both versions of the API, notifications, buyer and control routes. */
import type { Logger } from "pino";
import type { SimPaymentSettings } from "../../contract/provider/provider.ts";
import type { Database } from "../../store/database.ts";
import type { StatePart } from "../../store/state-part.ts";
import type { SimCredentials } from "../../contract/provider/provider-keys.ts";
import { createBills } from "./bills/bills.ts";
import type { EventStreams } from "../../http/connection/bodies/event-streams.ts";
import type { Middleware } from "../../http/middleware.ts";
import type { Route } from "../../http/route.ts";
import type { IsToken } from "../../http/outgoing/asker.ts";
import type { Targets } from "../../http/outgoing/targets.ts";
import { createAuthCodes, type AuthCodesTables } from "./buyer/auth-codes.ts";
import { buyerRoutes, type Buyers } from "./buyer/buyer-api.ts";
import { createBuying } from "./buyer/buying.ts";
import { createReadParameters } from "./buyer/client-parameters.ts";
import { h5PayUrl } from "./buyer/pay-links.ts";
import { createPayPages } from "./buyer/pay-pages.ts";
import { createAnswerCall } from "./calls/create-answer-call.ts";
import { createCallLog } from "./calls/call-log.ts";
import { createRecordRefused } from "./calls/record-refused.ts";
import type { CallTables } from "./calls/call-tables.ts";
import { createFindOrder } from "./ledger/find-order.ts";
import { merchantRoutes } from "./control/merchants-api.ts";
import { createOrderChanges } from "./control/order-changes.ts";
import { orderRoutes } from "./control/orders-api.ts";
import type { FaultTables } from "./faults/fault-tables.ts";
import { openFaults, type PaymentFaults } from "./faults/open-faults.ts";
import { createRefundFinisher } from "./finish-refunds.ts";
import { createReadCredentials, keyRoutes } from "./keys/keys-api.ts";
import type { KeysTables } from "./keys/keys-table.ts";
import { Keys } from "./keys/keys.ts";
import { createLedger } from "./ledger/create-ledger.ts";
import type { LedgerTables } from "./ledger/ledger-tables.ts";
import type { Ledger, Order } from "./ledger/ledger.ts";
import { builtInMerchant, openMerchants, type Merchant } from "./merchants/merchants.ts";
import type { MerchantsTables } from "./merchants/merchants-table.ts";
import type { NotifierTables } from "./notifier/notification-tables.ts";
import { openNotifier } from "./notifier/open-notifier.ts";
import { paymentsState } from "./payments-state.ts";
import { createRounds } from "./rounds.ts";
import { receiverCheckRoutes } from "./receiver-check/receiver-checks-api.ts";
import { ReceiverChecks } from "./receiver-check/receiver-checks.ts";
import { createV2Routes } from "./v2/v2-routes.ts";
import { createV3Routes, type V3Routes } from "./v3/v3-routes.ts";

export type PaymentTables = LedgerTables &
  MerchantsTables &
  KeysTables &
  CallTables &
  FaultTables &
  NotifierTables &
  AuthCodesTables;

export interface PaymentsDeps {
  readonly database: Database<PaymentTables>;
  readonly settings: () => SimPaymentSettings;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly wakeAt: (due: number, run: () => void) => () => void;
  /** The built-in app, for which the built-in merchant accepts payments. */
  readonly app: { readonly app_id: string; readonly app_secret: string };
  /** Gets the built-in merchant as it is now, and after each change. */
  readonly onBuiltIn: (merchant: Merchant) => void;
  /** The path at which the newest platform certificate is stored as a file. */
  readonly certificateFile: string;
  readonly buyers: Buyers;
  readonly streams: EventStreams;
  /** Addresses that the simulator may send requests to on a user's behalf. */
  readonly targets: Targets;
  /** Whether a text is the run's console token. */
  readonly isToken: IsToken;
}

/** Addresses of the simulator, without a trailing slash. */
export interface PaymentOrigins {
  /** For this machine. */
  readonly here: string;
  /** For buyers, whose phones are other devices; it changes with the network. */
  readonly forBuyers: () => string;
}

export interface Payments {
  /** The payment API of version 2, and of version 3. */
  readonly v2: Middleware;
  readonly v3: V3Routes;
  /** The pages for buyers' browsers, wherever those are. */
  readonly pages: readonly Route[];
  /** The control routes. */
  readonly routes: readonly Route[];
  /** Reads the built-in merchant's credentials. */
  readonly readCredentials: () => Promise<SimCredentials>;
  readonly state: StatePart;
  /** @param refuse returns the error to throw for an errcode */
  readonly identityFaults: PaymentFaults["identity"];
  /** Applies the current settings to everything that waits. */
  settingsChanged(before: SimPaymentSettings): Promise<void>;
  start(origins: PaymentOrigins): Promise<void>;
  /** Stops timed events. Pending ones continue at the next start. */
  stop(): Promise<void>;
  /** Writes pending records. Later calls are not recorded. */
  close(): Promise<void>;
}

export async function createPayments(deps: PaymentsDeps): Promise<Payments> {
  const {
    database: { db, reads, writes: grouped, instances },
    settings,
    log,
    now,
    wakeAt,
    app,
    certificateFile,
    buyers,
    targets,
    isToken,
  } = deps;
  let origins: PaymentOrigins = { here: "", forBuyers: () => "" };
  const payPage = (order: Order) => h5PayUrl(origins.forBuyers(), order.prepayId, now());
  const buyerPage = (order: Order) =>
    order.tradeType === "MWEB"
      ? payPage(order)
      : order.tradeType === "NATIVE"
        ? `${origins.here}/sim/pay/${order.prepayId}`
        : undefined;
  const merchants = await openMerchants(db, app.app_id, deps.onBuiltIn, instances);
  const keys = new Keys({ db, now: Date.now, certificateFile, instances });
  const makeKeys = async () => keys.make((await merchants.list()).map(({ mchId }) => mchId));
  // Not awaited: it takes a while, once per data directory, and only users of the keys wait for it.
  const keysMade = makeKeys().catch((error: unknown) => log.error({ err: error }, "keys could not be made"));
  const authCodes = createAuthCodes(db, now);
  const callLog = createCallLog({ db, writes: grouped, log, now, isShared: instances !== undefined });
  const ledger = createLedger({
    db,
    reads,
    writes: grouped,
    now,
    settings,
    knowsOpenId: async (openid) => (await buyers.byOpenId(openid)) !== undefined,
    readAuthCode: (code) => authCodes.redeem(code),
    onError: (error) => log.error({ err: error }, "a change of the ledger was not heard"),
  });
  const findOrder = createFindOrder({ ledger, merchants });
  const faults = await openFaults({ db, ledger, callLog, sender: () => notifier, findOrder, log, now, wakeAt });
  const answerCall = createAnswerCall({ log: callLog, faults: faults.calls, now });
  const recordRefused = createRecordRefused({ log: callLog, ledger, now });

  const { notifications, notifier } = await openNotifier({
    db,
    grouped,
    instances,
    ledger,
    callLog,
    merchants,
    keys,
    faults: faults.notifications,
    targets,
    settings,
    log,
    now,
    wakeAt,
  });
  const refundFinisher = createRefundFinisher({ db, ledger, faults: faults.refunds, settings, log, now, wakeAt });
  /** As calls ask it. */
  const asked: Ledger = {
    ...ledger,
    async refunds(key) {
      await refundFinisher.finishDue();
      return ledger.refunds(key);
    },
  };

  const rounds = createRounds({
    instances,
    restart: () => faults.start(),
    async resume() {
      await notifier.resume();
      await refundFinisher.reload();
    },
    log,
  });

  const bills = createBills({ ledger, settings, now });
  const buying = createBuying({ ledger, settings, now, wakeAt });
  const readParameters = createReadParameters({
    ledger,
    merchant: (mchId) => merchants.get(mchId),
    publicKeys: (mchId) => keys.merchantPublicKeys(mchId),
    now,
  });
  const pages = createPayPages({ ledger, buying, now });

  const readCredentials = createReadCredentials({ keys, merchants, app, certificateFile });
  const builtInMchId = builtInMerchant(app.app_id).mchId;
  const changes = createOrderChanges({ ledger, payPage: buyerPage, streams: deps.streams });
  const checks = new ReceiverChecks({
    ledger,
    merchants,
    faults,
    callLog,
    notifications,
    builtInMchId,
    targets,
    log,
  });

  return {
    v2: createV2Routes({
      ledger: asked,
      merchants,
      keys,
      bills,
      settings,
      answerCall,
      recordRefused,
      payPage,
      now,
      onError: (error) => log.error({ err: error }, "a call of version 2 failed"),
    }),
    v3: createV3Routes({
      ledger: asked,
      merchants,
      keys,
      answerCall,
      recordRefused,
      payPage,
      bills,
      now,
    }),
    pages: pages.h5,
    routes: [
      ...keyRoutes({ keys, readCredentials, builtInMchId }),
      ...merchantRoutes({ merchants, keys, ledger }),
      ...orderRoutes({ ledger: asked, findOrder, callLog, notifications, notifier, payPage: buyerPage }),
      changes.route,
      ...buyerRoutes({ buyers, authCodes, readParameters, buying }),
      ...pages.scan,
      ...faults.routes,
      ...receiverCheckRoutes(checks, isToken),
    ],
    readCredentials: () => readCredentials(builtInMchId),
    state: paymentsState({
      settle: () => notifier.flush(),
      async reload() {
        buying.cancelAll();
        merchants.reload();
        callLog.reload();
        for (const part of [faults, notifier, refundFinisher]) await part.reload();
        changes.reset();
        await makeKeys();
      },
    }),
    identityFaults: (refuse) => faults.identity(refuse),
    async settingsChanged({ timeScale, refund_seconds }) {
      const isOther = timeScale !== settings().timeScale;
      if (isOther) await notifier.reschedule();
      if (isOther || refund_seconds !== settings().refund_seconds) await refundFinisher.reload();
    },
    async start(at) {
      origins = at;
      await faults.start();
      await notifier.start();
      await refundFinisher.start();
      rounds.start();
    },
    async stop() {
      await rounds.close();
      changes.close();
      await checks.close();
      buying.close();
      // Faults wait for the notifications that they sent, which end with the notifier.
      await Promise.all([faults.close(), notifier.close()]);
      await refundFinisher.close();
    },
    async close() {
      await keysMade;
      await callLog.close();
    },
  };
}
