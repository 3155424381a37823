/** A valid request of each call of the platform's API for servers, and the schema by which its body is read. */
import { createHmac } from "node:crypto";
import type { z } from "zod";
import { phoneNumberBody, stableTokenBody } from "../../../server/provider/identity/identity-api.ts";
import { codeBody, qrBody, sceneBody } from "../../../server/provider/identity/mini-program/code-calls.ts";
import { mediaBody, textBody } from "../../../server/provider/identity/mini-program/content-checks.ts";
import { schemeBody, shortLinkBody, urlLinkBody } from "../../../server/provider/identity/mini-program/link-calls.ts";
import { messageBody } from "../../../server/provider/identity/mini-program/subscribe-messages.ts";
import * as shipping from "../../../server/provider/payments/shipping/shipping-input.ts";
import type { TestProvider } from "./test-provider.ts";

export interface ServerRequest {
  readonly query: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}
export interface DescribedServerCall {
  readonly schema?: z.ZodType;
  readonly request: () => ServerRequest | Promise<ServerRequest>;
}

const template = "order-paid";
const secretOf = async (provider: TestProvider) => {
  const { openid, session_key } = await provider.session("described");
  return { openid, signature: createHmac("sha256", session_key).update("").digest("hex"), sig_method: "hmac_sha256" };
};

/** @param order of a paid order that the platform manages, by its merchant's number */
export function serverCalls(provider: TestProvider, order: { readonly mchId: string; readonly outTradeNo: string }) {
  const access = async () => ({ access_token: await provider.accessToken() });
  const app = { appid: provider.app.appid, secret: provider.app.secret };
  const post = (schema: z.ZodType, body: () => object | Promise<object>): DescribedServerCall => ({
    schema,
    request: async () => ({ query: await access(), body: { ...(await body()) } }),
  });
  const openid = async () => (await provider.session("described")).openid;
  const number = { merchant_id: order.mchId, merchant_trade_no: order.outTradeNo };
  const order_key = { order_number_type: 1, mchid: order.mchId, out_trade_no: order.outTradeNo };
  const payer = { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" };
  const shipping_list = [{ tracking_no: "YT1", express_company: "YTO", item_desc: "tea" }];
  const parcel = { order_key, logistics_type: 1, delivery_mode: 1, shipping_list };
  let uploads = 0;
  const upload_time = () => new Date(Date.UTC(2026, 0, 1) + ++uploads * 1000).toISOString();
  const session = async (): Promise<ServerRequest> => ({
    query: { ...(await access()), ...(await secretOf(provider)) },
  });
  const calls: Readonly<Record<string, DescribedServerCall>> = {
    "GET /sns/jscode2session": {
      request: async () => ({
        query: { ...app, js_code: await provider.login("described"), grant_type: "authorization_code" },
      }),
    },
    "GET /cgi-bin/token": { request: () => ({ query: { ...app, grant_type: "client_credential" } }) },
    "POST /cgi-bin/stable_token": {
      schema: stableTokenBody,
      request: () => ({ query: {}, body: { ...app, grant_type: "client_credential", force_refresh: false } }),
    },
    "POST /wxa/business/getuserphonenumber": post(phoneNumberBody, async () => ({
      code: String((await provider.control("POST", "/users/described/phone-number"))["code"]),
    })),
    "GET /wxa/checksession": { request: session },
    "GET /wxa/resetusersessionkey": { request: session },
    "POST /wxa/getwxacode": post(codeBody, () => ({ path: "pages/shop" })),
    "POST /wxa/getwxacodeunlimit": post(sceneBody, () => ({ scene: "a=1" })),
    "POST /cgi-bin/wxaapp/createwxaqrcode": post(qrBody, () => ({ path: "pages/shop" })),
    "POST /wxa/generatescheme": post(schemeBody, () => ({ jump_wxa: { path: "pages/shop" }, expire_type: 0 })),
    "POST /wxa/generate_urllink": post(urlLinkBody, () => ({ path: "pages/shop" })),
    "POST /wxa/genwxashortlink": post(shortLinkBody, () => ({ page_url: "pages/shop?a=1", page_title: "Shop" })),
    "POST /cgi-bin/message/subscribe/send": post(messageBody, async () => {
      const touser = await openid();
      await provider.control("POST", "/users/described/message-subscriptions", { tmplIds: [template] });
      return { touser, template_id: template, data: { thing1: { value: "tea" } } };
    }),
    "POST /wxa/msg_sec_check": post(textBody, async () => ({
      ...{ version: 2, scene: 1, openid: await openid(), content: "tea" },
    })),
    "POST /wxa/media_check_async": post(mediaBody, async () => ({
      ...{ version: 2, scene: 1, openid: await openid(), media_url: "https://example.com/a.png", media_type: 2 },
    })),
    "POST /wxa/sec/order/upload_shipping_info": post(shipping.uploadBody, () => ({
      ...parcel,
      ...{ payer, upload_time: upload_time() },
    })),
    "POST /wxa/sec/order/upload_combined_shipping_info": post(shipping.combinedBody, () => ({
      ...{ order_key, sub_orders: [parcel], payer, upload_time: upload_time() },
    })),
    "POST /wxa/sec/order/get_order": post(shipping.orderBody, () => number),
    "POST /wxa/sec/order/get_order_list": post(shipping.shipmentFilter, () => ({})),
    "POST /wxa/sec/order/notify_confirm_receive": post(shipping.remindBody, () => ({
      ...{ ...number, received_time: Math.floor(provider.clock.now() / 1000) },
    })),
    "POST /wxa/sec/order/set_msg_jump_path": post(shipping.pathBody, () => ({ path: "pages/order" })),
    "POST /wxa/sec/order/is_trade_managed": post(shipping.appBody, () => ({ appid: app.appid })),
    "POST /wxa/sec/order/is_trade_management_confirmation_completed": post(shipping.appBody, () => ({
      appid: app.appid,
    })),
  };
  return calls;
}

/** What the calls need: a template, and a paid order that the platform manages. */
export async function prepareServerCalls(provider: TestProvider): Promise<void> {
  const content = { title: "Order paid", content: "{{thing1.DATA}}" };
  await provider.control("PUT", `/message-templates/${template}`, content);
  await provider.control("PATCH", "/trade-management", { managed: true });
}
