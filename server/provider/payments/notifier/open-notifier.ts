/** Composes the notifier: its storage, its connections, and the keys of merchants and platform. */
import type { PayWire, SignType } from "../../../contract/provider/payment-terms.ts";
import type { AlipayOwnKeys } from "../alipay/alipay-keys.ts";
import type { NotificationFaults, NotificationKeys } from "../faults/notification-faults.ts";
import type { PlatformSigner } from "../keys/platform-signer.ts";
import type { Order, Refund } from "../ledger/ledger.ts";
import type { PaymentParts, PaymentRecords } from "../open-records.ts";
import { sandboxKeyOf } from "../v2/sandbox-key.ts";
import { createDeliveries } from "./deliveries.ts";
import { NotificationAttempts } from "./notification-attempts.ts";
import { NotificationStore } from "./notification-store.ts";
import { NotificationWrites } from "./notification-writes.ts";
import { Notifier } from "./notifier.ts";
import type { NotificationPoster } from "./post-notification.ts";

interface Deps
  extends PaymentParts, Pick<PaymentRecords, "ledger" | "callLog" | "merchants" | "signer" | "alipayKeys"> {
  readonly faults: NotificationFaults;
  readonly poster: NotificationPoster;
}

/** Alipay signs with one key, and encrypts nothing. */
const alipayNoticeKeys = (own: AlipayOwnKeys, signer: PlatformSigner): NotificationKeys => ({
  ...{ apiV2Key: "", apiV3Key: "", signType: "MD5", signedAt: Date.now },
  platformKey: (kind) => signer.key(kind),
  signer: { serial: own.alipayCertSn, privateKey: own.alipayPrivateKey },
});

export async function openNotifier({ merchants, signer, alipayKeys, ...deps }: Deps) {
  async function keysFor(
    mchId: string,
    signType: SignType,
    version: PayWire,
    order?: Order,
  ): Promise<NotificationKeys | undefined> {
    if (version === "alipay") return alipayNoticeKeys(await alipayKeys.own(), signer);
    const merchant = await merchants.get(mchId);
    if (!merchant) return undefined;
    const { apiV2Key, apiV3Key } = merchant;
    return {
      apiV2Key: order?.sandbox ? sandboxKeyOf(apiV2Key) : apiV2Key,
      apiV3Key,
      signType,
      platformKey: (kind) => signer.key(kind),
      // Version 2 does not need a key of the platform, and creating one takes a while.
      signer: version === "v3" ? await signer.ofNotification(merchant) : { serial: "", privateKey: "" },
      signedAt: () => Date.now(), // receivers compare it with a real clock
    };
  }

  const { db, instances, log } = deps;
  const writes = await NotificationWrites.open({ db, grouped: deps.writes, instances, log });
  const notifications = new NotificationStore(db, writes, instances);
  const deliveries = createDeliveries({ ...deps, writes });
  const stored = { ...deps, store: notifications, writes, deliveries };
  const keysOf = (order: Order, refund?: Refund) =>
    keysFor(order.mchId, order.signType, (refund ?? order).version, order);
  const notifier = new Notifier({
    ...stored,
    attempts: new NotificationAttempts({
      ...{ ...stored, keysOf },
      noticeKeysOf: ({ mch_id, sign_type, version }) => keysFor(mch_id, sign_type, version),
    }),
  });
  return { notifications, notifier };
}
