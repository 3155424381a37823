/** Reads the addresses of the mini-program server API from the sources of a public SDK, which name each with its page. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OperationDescription } from "./describe-operation.ts";
import { Models } from "./read-models.ts";
import type { PublishedOperation } from "./read-payment-operations.ts";

const sources = "src/SKIT.FlurlHttpClient.Wechat.Api/Extensions";
const modelSources = "src/SKIT.FlurlHttpClient.Wechat.Api/Models";

/** Addresses that belong to mini programs although their comment names another page. */
const ownRoots = /^[/](?:wxa|wxaapi|tcb|sns)[/]/;

/** The product of an address, by its beginning; the first that matches counts. */
const products: readonly (readonly [RegExp, string])[] = [
  [/^[/]wxa[/]icp/, "小程序∙备案"],
  [/game/, "小程序∙小游戏"],
  [/servicemarket/, "小程序∙服务市场"],
  [/^[/]sns[/]jscode2session|^[/]wxa[/](?:checksession|resetusersessionkey)/, "小程序∙登录"],
  [/^[/]sns[/]component/, "小程序∙登录"],
  [/^[/]sns[/]/, "网页授权"],
  [/^[/]cgi-bin[/](?:token|stable_token|clear_quota|openapi)/, "小程序∙接口凭证"],
  [
    /^[/]wxa[/](?:business[/](?:getuser|checkencrypted)|getpaidunionid|getpluginopenpid|.*user_storage)/,
    "小程序∙用户信息",
  ],
  [/^[/]cgi-bin[/]soter|^[/]wxa[/](?:getuserriskrank|setuserinteractivedata)/, "小程序∙用户信息"],
  [/wxaqrcode|getwxacode|scheme|url_?link|shortlink|^[/]wxa[/]queryquota/, "小程序∙码与链接"],
  [/^[/]cgi-bin[/]message[/]custom|customservice|^[/]cgi-bin[/](?:media|business)[/]/, "小程序∙客服"],
  [/^[/]cgi-bin[/]message|newtmpl|user_notify|^[/]wxa[/]getsnticket/, "小程序∙消息"],
  [/sec_check|media_check/, "小程序∙内容安全"],
  [/^[/]tcb[/]/, "小程序∙云开发"],
  [/^[/]cgi-bin[/]express/, "小程序∙物流"],
  [/^[/]wxa[/]sec[/]vod|drama|^[/]wxa[/]book/, "小程序∙短剧与内容"],
  [/^[/]wxa[/]sec[/]|^[/]user-order|wxamptrade/, "小程序∙订单与发货"],
  [/^[/]xpay/, "小程序∙虚拟支付"],
  [/^[/](?:product|shop|channels)[/]|minishop/, "小程序∙小商店"],
  [/broadcast/, "小程序∙直播"],
  [/^[/](?:union|promoter)[/]|redpacketcover/, "小程序∙联盟与推广"],
  [/^[/]datacube/, "小程序∙数据分析"],
  [/operationams|amsinfo/, "小程序∙广告"],
  [/plugin/, "小程序∙插件"],
  [/^[/]cv[/]|imagesearch|sitesearch|[/]search$/, "小程序∙图像与识别"],
  [/^[/]wxa[/](?:.*store|.*map_poi|.*nearbypoi.*|.*merchant.*|get_district)/, "小程序∙附近与门店"],
  [/^[/](?:cityservice|intp)/, "小程序∙城市服务"],
  [/^[/]wxaapi[/](?:log|feedback|userlog)|^[/]wxa[/](?:getwxadevinfo|getillegal|getappeal|security)/, "小程序∙运维"],
  [
    /nickname|search|showwxaitem|wxamplink|domain|prefetch|fetchdata|betaweapp|adminauth|comment|embedded/,
    "小程序∙基础信息",
  ],
  [/^[/]wxa[/](?:business|vip|charge|component|uploadmedia)/, "小程序∙行业能力"],
  [/^[/]wxa[/]/, "小程序∙代码管理"],
];

function productOf(path: string): string {
  const product = products.find(([pattern]) => pattern.test(path))?.[1];
  if (!product) throw new Error(`${path} has no product`);
  return product;
}

/** Every reply may have them. */
const outcome = { errcode: { type: "integer" }, errmsg: { type: "string" } };

/** @param source of the method that performs the call */
function describeServerCall(models: Models, method: string, source: string): OperationDescription {
  const [, name = ""] = /Models[.](\w+)Request request\b/.exec(source) ?? [];
  const queried = [
    ...source.matchAll(/^\s*(flurlReq)?\s*[.]?SetQueryParam\("(\w+)"|(flurlReq)?[.]SetQueryParam\("(\w+)"/gm),
  ];
  const names = queried.map(([, , first, , second]) => first ?? second ?? "");
  const optional = queried
    .filter(([text]) => text.includes("flurlReq"))
    .map(([, , first, , second]) => first ?? second);
  const reply = models.describe(`${name}Response`);
  return {
    query: {
      required: names.filter((field) => !optional.includes(field)),
      properties: Object.fromEntries(names.map((field) => [field, { type: "string" }])),
    },
    ...(method !== "GET" && { body: models.describe(`${name}Request`) }),
    replies: { 200: { ...reply, properties: { ...outcome, ...reply.properties } } },
  };
}

/** @param folder a clone of DotNetCore.SKIT.FlurlHttpClient.Wechat */
export function readServerOperations(folder: string): PublishedOperation[] {
  const found = new Map<string, PublishedOperation>();
  const models = new Models(join(folder, modelSources));
  for (const file of readdirSync(join(folder, sources))) {
    const comments = readFileSync(join(folder, sources, file), "utf8")
      .split("/// <summary>")
      .slice(1);
    for (const comment of comments) {
      const [, method, address] = /\[(GET|POST|PUT|DELETE|PATCH)\] ([/]\S+)/.exec(comment) ?? [];
      const path = address?.split("?")[0];
      if (method === undefined || path === undefined) continue;
      if (!comment.includes("weixin.qq.com/miniprogram/") && !ownRoots.test(path)) continue;
      const describe = () => describeServerCall(models, method, comment);
      found.set(`${method} ${path}`, { method, path, product: productOf(path), describe });
    }
  }
  return [...found.values()];
}
