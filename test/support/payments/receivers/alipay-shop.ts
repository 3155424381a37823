/** A merchant's backend at Alipay by `alipay-sdk`: it places orders by QR code, and settles them by notifications. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { AlipayScene } from "../alipay-scene.ts";

/** What a wrong backend leaves out. */
export type AlipayMistake = "signature" | "amount" | "merchant" | "repeat" | "answer";

interface Sold {
  readonly fen: number;
  times: number;
}

export async function startAlipayShop(scene: AlipayScene, ...mistakes: readonly AlipayMistake[]) {
  const sdk = await scene.sdk();
  const sold = new Map<string, Sold>();
  const skips = (mistake: AlipayMistake) => mistakes.includes(mistake);
  let url = "";

  async function place(): Promise<object> {
    const out_trade_no = `SHOP_${String(sold.size + 1)}`;
    sold.set(out_trade_no, { fen: 101, times: 0 });
    const bizContent = { out_trade_no, total_amount: "1.01", subject: "Tea" };
    await sdk.exec("alipay.trade.precreate", { notify_url: `${url}/notify`, bizContent }, { validateSign: true });
    return { out_trade_no };
  }

  function isRight(fields: Readonly<Record<string, string>>): boolean {
    const order = sold.get(fields["out_trade_no"] ?? "");
    if (!order || (!skips("signature") && !sdk.checkNotifySignV2({ ...fields }))) return false;
    if (!skips("amount") && Math.round(Number(fields["total_amount"]) * 100) !== order.fen) return false;
    const { app_id, seller_id } = scene.credentials;
    return skips("merchant") || (fields["app_id"] === app_id && fields["seller_id"] === seller_id);
  }

  function notified(body: string): string {
    const form = new URLSearchParams(body);
    const fields = Object.fromEntries(form);
    if ([...form.keys()].length !== Object.keys(fields).length || !isRight(fields)) return "failure";
    const order = sold.get(fields["out_trade_no"] ?? "");
    if (order && (order.times === 0 || skips("repeat"))) order.times++;
    return skips("answer") ? "SUCCESS" : "success";
  }

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.url === "/orders") return void res.end(JSON.stringify(await place()));
    if (Number(req.headers["content-length"] ?? 0) > 100_000)
      return void res.writeHead(413, { Connection: "close" }).end();
    if (req.url === "/notify") return void res.end(notified(await text(req)));
    const order = sold.get(req.url?.split("/").at(-1) ?? "");
    res.end(JSON.stringify({ settled: (order?.times ?? 0) > 0, times: order?.times ?? 0 }));
  }

  const server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    /** The backend as a check gets to know it. */
    described: {
      mch_id: scene.credentials.seller_id,
      notify_url: `${url}/notify`,
      orders: { from: "backend", url: `${url}/orders`, out_trade_no_at: "out_trade_no" },
      status: { url: `${url}/orders/{out_trade_no}`, settled_when: "settled=true", settlements_at: "times" },
    } as const,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
