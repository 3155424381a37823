/** What every call of version 2 is checked for, in which order, and by which signature it is believed. */
import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2, type ReplyV2 } from "../../../support/payments/merchant-v2.ts";
import { hasOpenssl, openssl } from "../../../support/payments/openssl.ts";
import { orderDetails } from "../../../support/payments/order-details.ts";
import { signatureV2, xmlOf, type Fields } from "../../../support/payments/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());

const paths = ["unifiedorder", "orderquery", "closeorder", "refundquery", "micropay"].map((name) => `/pay/${name}`);
const allPaths = [...paths, "/secapi/pay/refund", "/secapi/pay/reverse"];

/** A failure of communication in its whole form, and what it says. */
function failureOf(reply: ReplyV2): string | undefined {
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.fields)).toEqual(["return_code", "return_msg"]);
  expect(reply.fields["return_code"]).toBe("FAIL");
  return reply.fields["return_msg"];
}

const query = (fields: Fields): Fields => ({ ...merchant.common(), out_trade_no: "TRANSPORT", ...fields });
const signed = (fields: Fields, sign = signatureV2(fields, merchant.apiV2Key)) => ({ ...fields, sign });
const sendQuery = (body: string | Uint8Array<ArrayBuffer>) => merchant.send("/pay/orderquery", body);

describe("every call answers 200 and an unsigned failure", () => {
  it.each(allPaths)("%s: to GET, to an empty body, to what is no XML, and to a wrong signature", async (path) => {
    expect(failureOf(await merchant.send(path, undefined, { method: "GET" }))).toBe("请使用post方法");
    expect(failureOf(await merchant.send(path, ""))).toBe("post数据为空");
    expect(failureOf(await merchant.send(path, '{"appid":"x"}'))).toMatch(/^XML格式错误/);
    expect(failureOf(await merchant.call(path, {}, { key: "another key" }))).toBe("签名错误");
  });

  it.each(allPaths)("%s: to what lacks a field, which it names", async (path) => {
    for (const name of ["appid", "mch_id", "nonce_str"])
      expect(failureOf(await merchant.call(path, { [name]: "" }))).toBe(`缺少参数${name}`);
    expect(failureOf(await merchant.send(path, xmlOf(merchant.common())))).toBe("缺少参数sign");
    expect(failureOf(await merchant.call(path, {}))).toMatch(/^缺少参数(body|out_trade_no|out_refund_no)$/);
  });

  it("to an unknown merchant", async () => {
    expect(failureOf(await merchant.call("/pay/orderquery", { mch_id: "1900000999" }))).toBe("MCHID不存在");
  });

  it("to an order that lacks what its product needs", async () => {
    for (const [trade_type, name] of [
      ["JSAPI", "openid"],
      ["NATIVE", "product_id"],
      ["MWEB", "scene_info"],
    ] as const)
      expect(failureOf(await merchant.place("LACKING", { trade_type, [name]: "" }))).toBe(`缺少参数${name}`);
  });

  it("to bytes that are not UTF-8, and to a body longer than 64 KiB", async () => {
    const gbk = Buffer.from([...Buffer.from("<xml><body>"), 0xb1, 0xbe, ...Buffer.from("</body></xml>")]);
    expect(failureOf(await sendQuery(new Uint8Array(gbk)))).toMatch(/^编码格式错误/);
    const fields = signed(query({ detail: "d".repeat(65_536) }));
    expect(failureOf(await sendQuery(xmlOf(fields)))).toMatch(/^XML格式错误/);
  });

  it("to a document type, and resolves no entity", async () => {
    const inner = xmlOf(signed(query({})));
    const document = (type: string) => `<?xml version="1.0"?><!DOCTYPE xml ${type}>${inner}`;
    for (const type of [
      "",
      "[<!ENTITY a 'b'>]",
      "[<!ENTITY a SYSTEM 'file:///etc/passwd'>]",
      "SYSTEM 'http://127.0.0.1:9/'",
    ])
      expect(failureOf(await sendQuery(document(type)))).toMatch(/^XML格式错误/);
    // Without its definition an entity stays the text that it is.
    const fields = query({ attach: "&a;" });
    const body = xmlOf(signed(fields)).replace("<![CDATA[&a;]]>", "&a;");
    expect(outcomeOf(await sendQuery(body))).not.toMatch(/root:/);
  });

  it("to fields twice or within others, and to a broken end", async () => {
    const good = xmlOf(signed(query({})));
    for (const body of [
      good.replace("<xml>", "<xml><out_trade_no>OTHER_ONE</out_trade_no>"),
      good.replace("<xml>", "<xml><a><b>c</b></a>"),
      good.replace("</xml>", ""),
    ])
      expect(failureOf(await sendQuery(body))).toMatch(/^XML格式错误/);
  });

  it("names them as err_code instead where the setting says so; signed as soon as the merchant is known", async () => {
    await provider.control("PATCH", "/settings", { commonErrorsAsErrCode: true });
    const replies = [
      await merchant.send("/pay/orderquery", undefined, { method: "GET" }),
      await sendQuery(""),
      await sendQuery("<xml>"),
      await sendQuery(new Uint8Array([0xff])),
      await merchant.call("/pay/orderquery", { mch_id: "1900000999" }),
      await merchant.call("/pay/orderquery", { nonce_str: "" }),
      await merchant.call("/pay/orderquery", {}, { key: "another key" }),
      await merchant.call("/pay/orderquery", {}),
      await merchant.place("LACKING", { body: "" }),
    ];
    await provider.control("PATCH", "/settings", { commonErrorsAsErrCode: false });
    expect(replies.map((reply) => reply.fields["result_code"])).toEqual(replies.map(() => "FAIL"));
    expect(replies.map((reply) => [reply.fields["err_code"], reply.fields["sign"] !== undefined])).toEqual([
      ["REQUIRE_POST_METHOD", false],
      ["POST_DATA_EMPTY", false],
      ["XML_FORMAT_ERROR", false],
      ["NOT_UTF8", false],
      ["MCHID_NOT_EXIST", false],
      ["LACK_PARAMS", false],
      ["SIGNERROR", true],
      ["PARAM_ERROR", true],
      ["LACK_PARAMS", true],
    ]);
    expect(replies.at(-1)?.isSigned).toBe(true);
  });
});

describe("a signature", () => {
  it("covers every field that is not empty, known or not, in any order, with or without CDATA, under any root", async () => {
    const fields = signed(query({ zzz: "值", A: "0", empty: "" }));
    const plain = Object.entries(fields)
      .toReversed()
      .map(([name, value]) => `<${name}>${value}</${name}>`);
    for (const body of [xmlOf(fields), `<root>\n  ${plain.join("\n  ")}\n</root>`])
      expect(outcomeOf(await sendQuery(body))).toMatch(/^不识别的参数(?:zzz|A)$/);
    expect(outcomeOf(await sendQuery(xmlOf({ ...fields, zzz: "ander" })))).toBe("签名错误");
    expect(outcomeOf(await sendQuery(xmlOf({ ...fields, added: "1" })))).toBe("签名错误");
  });

  it("is of the type that the request names, MD5 where it names none, and of no other", async () => {
    const hmac = { sign_type: "HMAC-SHA256" };
    const outcome = async (fields: Fields, sign: string) => outcomeOf(await sendQuery(xmlOf(signed(fields, sign))));
    const plain = query({});
    const named = query(hmac);
    expect(await outcome(named, signatureV2(named, merchant.apiV2Key, "HMAC-SHA256"))).toBe("ORDERNOTEXIST");
    expect(await outcome(named, signatureV2(named, merchant.apiV2Key))).toBe("签名错误");
    expect(await outcome(plain, signatureV2(plain, merchant.apiV2Key, "HMAC-SHA256"))).toBe("签名错误");
    expect(await outcome(plain, signatureV2(plain, merchant.apiV2Key).toLowerCase())).toBe("签名错误");
    const unknown = query({ sign_type: "SHA1" });
    expect(await outcome(unknown, signatureV2(unknown, merchant.apiV2Key))).toBe("签名错误");
  });

  it.skipIf(!hasOpenssl)("of a reply is what openssl computes over its fields, MD5 and HMAC-SHA256", async () => {
    const message = (fields: Fields) => {
      const names = Object.keys(fields).filter((name) => name !== "sign");
      return [...names.toSorted().map((name) => `${name}=${fields[name] ?? ""}`), `key=${merchant.apiV2Key}`].join("&");
    };
    const digest = (output: string) => /([0-9a-f]{32,64})\s*$/.exec(output)?.[1]?.toUpperCase();
    const md5 = await merchant.place("OPENSSL_MD5");
    expect(md5.fields["sign"]).toBe(digest(openssl(["dgst", "-md5"], message(md5.fields))));
    const hmac = await merchant.place("OPENSSL_HMAC", {}, { signType: "HMAC-SHA256" });
    const key = ["-hmac", merchant.apiV2Key];
    expect(hmac.fields["sign"]).toBe(digest(openssl(["dgst", "-sha256", ...key], message(hmac.fields))));
  });

  it("of one merchant is worth nothing for another", async () => {
    await provider.control("PUT", "/merchants/1900000110", {
      app_ids: [provider.app.appid],
      api_v2_key: "k".repeat(32),
      api_v3_key: "v".repeat(32),
    });
    await merchant.place("NOT_YOURS");
    const other = createMerchantV2(provider, { mchId: "1900000110", apiV2Key: "k".repeat(32) });
    expect(outcomeOf(await other.query("NOT_YOURS"))).toBe("ORDERNOTEXIST");
    expect(outcomeOf(await other.query("NOT_YOURS", { key: merchant.apiV2Key }))).toBe("签名错误");
  });
});

describe("under the setting requireClientCert", () => {
  it("refund and reverse are answered as without a client certificate, and nothing comes of them", async () => {
    await merchant.paid("NO_CERT");
    await provider.control("PATCH", "/settings", { requireClientCert: true });
    for (const call of [() => merchant.refund("NO_CERT", "R-NO_CERT"), () => merchant.reverse("NO_CERT")])
      expect(await call()).toMatchObject({ status: 400, text: expect.stringContaining("No required SSL certificate") });
    expect((await merchant.query("NO_CERT")).fields["trade_state"]).toBe("SUCCESS");
    await provider.control("PATCH", "/settings", { requireClientCert: false });
    expect(outcomeOf(await merchant.refund("NO_CERT", "R-NO_CERT"))).toBe("SUCCESS");
    const { calls } = await orderDetails(provider, "NO_CERT");
    expect(calls.map(({ outcome }) => outcome).filter((outcome) => outcome !== "SUCCESS")).toEqual([
      ...["NO_CERTIFICATE", "NO_CERTIFICATE"],
    ]);
  });
});

it.each([
  ["/secapi/pay/nothing", {}],
  ["/xdc/apiv2sandbox/pay/nothing", {}],
  ["/nothing/at/all", { Host: "api.mch.weixin.qq.com" }],
])("an address that nobody has, %s %j, is named in version 2's form", async (path, headers) => {
  const { hostname, port } = new URL(provider.url);
  const request = http.request({ hostname, port, path, method: "POST", headers }).end("<xml></xml>");
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  expect(await text(response)).toBe(
    `<xml><return_code><![CDATA[FAIL]]></return_code><return_msg><![CDATA[Hearth does not simulate POST ${path}]]></return_msg></xml>`,
  );
});
