/** Composes the notifier: its storage, its connections, and the keys of merchants and platform. */
import type { Kysely } from "kysely";
import type { Targets } from "../../../http/outgoing/targets.ts";
import type { GroupedWrites, Instances } from "../../../store/database.ts";
import type { NotificationKeys } from "../faults/notification-faults.ts";
import type { Keys } from "../keys/keys.ts";
import type { LedgerTables } from "../ledger/ledger-tables.ts";
import type { Order, Refund } from "../ledger/ledger.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { sandboxKeyOf } from "../v2/sandbox-key.ts";
import { createDeliveries, type DeliveriesDeps } from "./deliveries.ts";
import { NotificationAttempts, type AttemptDeps } from "./notification-attempts.ts";
import { NotificationStore } from "./notification-store.ts";
import type { NotifierTables } from "./notification-tables.ts";
import { NotificationWrites } from "./notification-writes.ts";
import { Notifier, type NotifierDeps } from "./notifier.ts";
import { createNotificationPoster } from "./post-notification.ts";

interface Deps extends Omit<
  NotifierDeps & AttemptDeps & DeliveriesDeps,
  "store" | "writes" | "attempts" | "deliveries" | "poster" | "keysOf" | "settings"
> {
  readonly db: Kysely<NotifierTables & LedgerTables>;
  readonly grouped: GroupedWrites;
  /** Those that share the database. */
  readonly instances: Instances | undefined;
  readonly merchants: Pick<Merchants, "get">;
  readonly keys: Pick<Keys, "platform">;
  /** The addresses that it may send to. */
  readonly targets: Targets;
  readonly settings: () => ReturnType<AttemptDeps["settings"]> & ReturnType<DeliveriesDeps["settings"]>;
}

export async function openNotifier({ db, grouped, instances, merchants, keys, targets, ...deps }: Deps) {
  async function keysOf(order: Order, refund?: Refund): Promise<NotificationKeys | undefined> {
    const merchant = await merchants.get(order.mchId);
    if (!merchant) return undefined;
    const { apiV2Key, apiV3Key } = merchant;
    // Version 2 does not need these keys, and creating them takes a while.
    const isV3 = (refund ?? order).version === "v3";
    const platform = isV3 ? await keys.platform() : { privateKey: "", serial: "" };
    return {
      apiV2Key: order.sandbox ? sandboxKeyOf(apiV2Key) : apiV2Key,
      apiV3Key,
      signType: order.signType,
      platformKey: platform.privateKey,
      platformSerial: platform.serial,
      signedAt: () => Date.now(), // receivers compare it with a real clock
    };
  }

  const writes = await NotificationWrites.open({ db, grouped, instances, log: deps.log });
  const notifications = new NotificationStore(db, writes, instances);
  const deliveries = createDeliveries({ ...deps, writes, poster: createNotificationPoster(targets) });
  const stored = { ...deps, store: notifications, writes, deliveries };
  const notifier = new Notifier({ ...stored, attempts: new NotificationAttempts({ ...stored, keysOf }) });
  return { notifications, notifier };
}
