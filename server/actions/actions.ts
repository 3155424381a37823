/** All actions, in the order of the general help. Commands and tools of MCP are made from this table. */
import type { HearthAction } from "./action.ts";
import { events } from "./events/events.ts";
import { logs } from "./events/logs.ts";
import { wait } from "./events/wait.ts";
import { faultArm } from "./faults/arm.ts";
import { faultDisarm, faultList } from "./faults/faults.ts";
import { close, refund } from "./payments/end-order.ts";
import { notify } from "./payments/notify.ts";
import { order } from "./payments/order.ts";
import { ordersList, ordersShow } from "./payments/orders.ts";
import { pay } from "./payments/pay.ts";
import { receiverCheck } from "./platform/check-receiver.ts";
import { fidelity } from "./platform/fidelity.ts";
import { requests } from "./requests/requests.ts";
import { replay, show } from "./requests/show.ts";
import { login } from "./sessions/login.ts";
import { clockAdvance, clockSet, clockReset, clockShow } from "./state/clock.ts";
import { reset } from "./state/reset.ts";
import { seed } from "./state/seed.ts";
import { snapshotList, snapshotRemove, snapshotRestore, snapshotSave } from "./state/snapshot.ts";

export const actions: readonly HearthAction[] = [
  ...[login, order, ordersList, ordersShow, pay, refund, close, notify],
  ...[requests, show, replay, wait, events, logs],
  ...[faultList, faultArm, faultDisarm],
  ...[clockShow, clockAdvance, clockSet, clockReset],
  ...[reset, seed, snapshotList, snapshotSave, snapshotRestore, snapshotRemove],
  ...[fidelity, receiverCheck],
];
