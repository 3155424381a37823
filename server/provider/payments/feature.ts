import { readAlipayCredentials } from "./alipay/credentials-api.ts";
import { join } from "node:path";
import type { Logger } from "pino";
import type { SimPaymentSettings } from "../../contract/provider/provider.ts";
import { createTargets } from "../../http/outgoing/targets.ts";
import type { Feature, Kernel } from "../../kernel/feature.ts";
import { PayLinks, type PaymentOrigins } from "./buyer/pay-links.ts";
import { createReadCredentials } from "./keys/keys-api.ts";
import { builtInMerchant } from "./merchants/merchants.ts";
import { complaintRoutes } from "./complaints/complaint-api.ts";
import { complaintCalls } from "./complaints/complaint-calls.ts";
import { Complaints } from "./complaints/complaints.ts";
import { mediaCalls } from "./media/media-calls.ts";
import { MessagePusher } from "./message-push/message-pusher.ts";
import { createMiniProgramEvents } from "./message-push/mini-program-events.ts";
import { pushRoutes } from "./message-push/push-api.ts";
import { createNotificationPoster } from "./notifier/post-notification.ts";
import { openBackground } from "./open-background.ts";
import { openRecords, type PaymentPorts } from "./open-records.ts";
import { createPaymentApis } from "./payment-apis.ts";
import type { PaymentTables } from "./payment-tables.ts";
import { paymentsState } from "./payments-state.ts";
import { shippingRoutes } from "./shipping/shipping-api.ts";
import { shippingCalls } from "./shipping/shipping-calls.ts";
import { Shipments } from "./shipping/shipments.ts";

const makeKeysAfterMs = 2_000;

/**
 * Makes the missing keys once the start is over, because that takes a processor half a second. Callers that need a key
 * sooner make it. Returns the function that cancels the work, or waits for it.
 */
function makeSoon(makeKeys: () => Promise<void>, log: Logger): () => Promise<void> | undefined {
  let making: Promise<void> | undefined;
  const begin = () => {
    making = makeKeys().catch((error: unknown) => log.error({ err: error }, "keys could not be made"));
  };
  const timer = setTimeout(begin, makeKeysAfterMs).unref();
  return () => {
    clearTimeout(timer);
    return making;
  };
}

/** Payments of both versions: calls, notifications, buyers, injected faults, checks of receivers. */
export const platformPaymentsFeature = {
  name: "payments",
  async open(kernel: Kernel<PaymentTables>, ports: PaymentPorts) {
    const { app } = ports;
    const { log, atClose } = kernel;
    const { db, reads, writes, instances } = kernel.database;
    const { now, wakeAt } = kernel.clock;
    const certificateFile = join(kernel.settings.data_dir, "platform-certificate.pem");
    const targets = createTargets(kernel.settings.allowed_targets);
    const parts = { db, reads, writes, instances, settings: ports.paymentSettings, log, now, wakeAt };
    const records = await openRecords(parts, ports, certificateFile);
    const { merchants, keys, callLog } = records;
    // Later calls are not recorded.
    atClose(() => callLog.close());
    atClose(makeSoon(records.makeKeys, log));
    atClose(() => keys.settle());
    const background = await openBackground(parts, records, ports.poster ?? createNotificationPoster(targets));
    const { faults, notifications, notifier } = background;
    const pusher = new MessagePusher({ ...parts, poster: createNotificationPoster(targets), appId: app.app_id });
    const complaints = new Complaints({ db, notifications, outbox: notifier, now });
    const shipments = new Shipments({
      ...{ store: records.shipmentStore, ledger: background.ledger, refuse: ports.refusePlatform },
      ...{ pusher, log, now, wakeAt },
      settle: (orderId, trx) => records.heldMoney.settle(orderId, trx),
    });
    const shipping = { ...ports, ...records, shipments, store: records.shipmentStore };

    const links = new PayLinks(now);
    const builtInMchId = builtInMerchant(app.app_id).mchId;
    const readCredentials = createReadCredentials({ keys, merchants, app, certificateFile });
    const apis = createPaymentApis({
      ...{ ...ports, ...parts, ...records, ...background },
      ...{ links, targets, builtInMchId, readCredentials, pusher },
      productCalls: [...complaintCalls({ db, complaints, keys }), ...mediaCalls(db)],
    });

    return {
      routes: [
        ...apis.routes,
        ...pushRoutes(pusher, app.app_id, ports.isToken),
        ...shippingRoutes(shipping),
        ...complaintRoutes({ ...records, complaints }),
      ],
      port: {
        ...apis,
        readAlipayCredentials: () => readAlipayCredentials(records.alipayKeys),
        /** Reads the built-in merchant's credentials. */
        readCredentials: () => readCredentials(builtInMchId),
        state: paymentsState({
          settle: () => notifier.flush(),
          async reload() {
            merchants.reload();
            callLog.reload();
            await background.reload();
            await pusher.resume();
            await shipments.resume();
            apis.reset();
          },
        }),
        identityFaults: faults.identity,
        shippingCalls: shippingCalls({ ...shipping, appId: app.app_id, refuse: ports.refusePlatform, now }),
        miniProgramEvents: createMiniProgramEvents((event) => pusher.push(event), app.app_id),
        settingsChanged: (before: SimPaymentSettings) => background.settingsChanged(before),
        /** Starts timed events, which end before the listener does. */
        async start(origins: PaymentOrigins) {
          links.origins = origins;
          atClose(() => background.close());
          atClose(() => pusher.close());
          atClose(() => shipments.close());
          atClose(() => apis.close());
          await background.start();
          await pusher.resume();
          await shipments.start();
          // Other instances may be running checks.
          if (!instances) await apis.removeLeftovers();
        },
      },
    };
  },
} satisfies Feature<Kernel<PaymentTables>, PaymentPorts, unknown>;
