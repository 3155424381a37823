import { listSimPushes, replaySimPush, type SimPush } from "../../../../server/contract/provider/sim-message-push.ts";
import type { Product, ProductEntry } from "./product.ts";

const entryOf = (push: SimPush): ProductEntry => ({
  key: String(push.id),
  at: push.created_at,
  state: push.state,
  number: push.event,
  openid: push.openid,
  parts: push.attempts.map(({ at, status, reply, problem }) => ({
    at,
    text: status === 0 ? "—" : `HTTP ${String(status)}`,
    note: problem ?? reply,
  })),
  actions: [
    {
      name: "replay",
      run: async (call) => (await call(replaySimPush, { params: { id: String(push.id) } })).state,
    },
  ],
  item: push,
});

export const pushProduct: Product = {
  numberField: "event",
  waits: ["pending"],
  without: ["mch_id", "amount"],
  load: async (call, _of, signal) => (await call(listSimPushes, { signal })).map(entryOf),
  example: (provider) =>
    [
      `curl -X PUT ${provider}/sim/message-push \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '{"url":"http://127.0.0.1:8080/wechat","token":"hearthToken","format":"JSON","mode":"safe",`,
      `       "encoding_aes_key":"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"}'`,
    ].join("\n"),
};
