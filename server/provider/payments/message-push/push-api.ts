import {
  deleteSimPushReceiver,
  getSimPushReceiver,
  listSimPushes,
  putSimPushReceiver,
  replaySimPush,
  sendSimPush,
} from "../../../contract/provider/sim-message-push.ts";
import { notFound } from "../../../http/http-error.ts";
import { askerOf, type IsToken } from "../../../http/outgoing/asker.ts";
import { route, type Route } from "../../../http/route.ts";
import { noReceiver, type MessagePusher } from "./message-pusher.ts";
import { originalId } from "./push-events.ts";

/** The platform's text is not published (our choice). */
const reminder = "你的小程序有待发货的订单，请尽快接入发货信息管理服务 API。";

export const pushRoutes = (pusher: MessagePusher, appId: string, isToken: IsToken): Route[] => [
  route(getSimPushReceiver, async () => ({ data: { receiver: (await pusher.receiver()) ?? null } })),
  route(putSimPushReceiver, async ({ body }, { req }) => ({
    data: await pusher.setReceiver(body, askerOf(req, isToken)),
  })),
  route(deleteSimPushReceiver, async () => pusher.removeReceiver()),

  route(listSimPushes, async () => ({ data: await pusher.list() })),
  route(sendSimPush, async ({ body: { event } }) => {
    const id = await pusher.push({ event, openid: originalId(appId), fields: { msg: reminder } });
    const push = id === undefined ? undefined : await pusher.get(id);
    if (!push) throw noReceiver();
    return { data: push };
  }),
  route(replaySimPush, async ({ params: { id } }) => {
    const push = await pusher.replay(Number(id));
    if (!push) throw notFound(`Message ${id} does not exist.`);
    return { data: push };
  }),
];
