/** Requests that the platform refuses although they are signed and look right, from public reports of live replies. */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let v2: MerchantV2;
let v3: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  v2 = createMerchantV2(provider);
  v3 = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const paramError = (detail: object) => ({ status: 400, json: { code: "PARAM_ERROR", detail } });

describe("a text of version 3", () => {
  it.each([
    ["description", "茶".repeat(43), 129],
    ["description", "a".repeat(128), 128],
    ["attach", "茶".repeat(43), 129],
    ["goods_tag", "茶".repeat(11), 33],
  ])("that is too long in bytes is refused with their number: %s", async (name, text, bytes) => {
    const reply = await v3.place("native", "BYTES_REFUSED", { [name]: text });
    expect(reply).toMatchObject(paramError({ field: `/${name}`, value: bytes, location: "body" }));
  });

  it("may be as long as its limit in bytes", async () => {
    const longest = {
      description: `${"茶".repeat(42)}a`,
      attach: `${"茶".repeat(42)}ab`,
      goods_tag: `${"茶".repeat(10)}ab`,
    };
    expect((await v3.place("native", "BYTES_TAKEN", longest)).status).toBe(200);
  });

  it.each(["奶茶😀", "a\0b", "𠮷"])("with a character of four bytes or NUL is refused: %j", async (text) => {
    for (const name of ["description", "attach"]) {
      const reply = await v3.place("native", "FOUR_BYTES", { [name]: text });
      expect(reply).toMatchObject(paramError({ field: `/${name}`, value: text }));
    }
  });

  it("limits the reason of a refund in bytes", async () => {
    const reply = await v3.call("POST", "/v3/refund/domestic/refunds", {
      ...{ out_trade_no: "REASON_ORDER", out_refund_no: "REASON_1", reason: "退".repeat(27) },
      amount: { refund: 1, total: 1, currency: "CNY" },
    });
    expect(reply).toMatchObject(paramError({ field: "/reason", value: 81 }));
  });
});

describe("the detail of a refusal of version 3", () => {
  it.each([0.1, 0, "101", true, null, { total: 1 }])("keeps the type of the value %j", async (total) => {
    const reply = await v3.place("native", "VALUE_TYPE", { amount: { total, currency: "CNY" } });
    expect(reply).toMatchObject(paramError({ field: "/amount/total", value: total ?? "" }));
  });

  it("names uri_template as the location of a value in the path, and the bytes of one that is too long", async () => {
    expect(await v3.query("a".repeat(33))).toMatchObject(paramError({ location: "uri_template", value: 33 }));
    expect(await v3.close("a".repeat(33))).toMatchObject(paramError({ location: "uri_template", value: 33 }));
  });
});

describe("a POST of version 3", () => {
  it.each([undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])(
    "with the content type %s is refused before its Authorization is read",
    async (type) => {
      const reply = await fetch(`${provider.url}/v3/pay/transactions/native`, {
        method: "POST",
        headers: { Accept: "*/*", ...(type !== undefined && { "Content-Type": type }) },
        body: Buffer.from(JSON.stringify(v3.order("CONTENT_TYPE"))),
      });
      expect([reply.status, await reply.json()]).toEqual([
        400,
        { code: "INVALID_REQUEST", message: "Http头Content-Type值必须为application/json" },
      ]);
    },
  );

  it.each(["application/json; charset=utf-8", "Application/JSON"])("may write its content type as %s", async (type) => {
    const number = `CONTENT_${String(type.length)}`;
    const reply = await v3.call("POST", "/v3/pay/transactions/native", v3.order(number), {
      headers: { "Content-Type": type },
    });
    expect(reply.status).toBe(200);
  });

  it("that is compressed is refused with the name of the coding", async () => {
    const reply = await v3.call("POST", "/v3/pay/transactions/native", v3.order("GZIP_ORDER"), {
      headers: { "Content-Encoding": "gzip" },
    });
    expect(reply.status).toBe(415);
    expect(reply.json.message).toContain("gzip");
  });
});

/** The header names of a reply as they were written. */
async function rawHeaderNames(request: string): Promise<string[]> {
  const { hostname, port } = new URL(provider.url);
  const socket = connect(Number(port), hostname);
  socket.end(request);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = ""] = Buffer.concat(chunks).toString("latin1").split("\r\n\r\n");
  return head
    .split("\r\n")
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(":")));
}

describe("the headers of version 3", () => {
  const signed = ["Timestamp", "Nonce", "Serial", "Signature", "Signature-Type"].map((name) =>
    `wechatpay-${name}`.toLowerCase(),
  );

  it("name the signature's type and the language on a reply, a refusal and a reply without a body", async () => {
    const placed = await v3.place("native", "HEADERS_1");
    const replies = [
      placed,
      await v3.close("HEADERS_1"),
      await v3.query("HEADERS_NONE"),
      await v3.place("native", "x"),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 204, 404, 400]);
    for (const { headers } of replies) {
      expect([...headers.keys()]).toEqual(expect.arrayContaining([...signed, "request-id"]));
      expect(headers.get("wechatpay-signature-type")).toBe("WECHATPAY2-SHA256-RSA2048");
      expect(headers.get("content-language")).toBe("zh-CN");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("are on an unsigned refusal, too", async () => {
    const { status, headers } = await v3.call("GET", "/v3/certificates", undefined, { authorization: "none" });
    expect(status).toBe(401);
    expect([headers.get("content-language"), headers.get("x-content-type-options")]).toEqual(["zh-CN", "nosniff"]);
  });

  it("are written as the platform writes them", async () => {
    const { host } = new URL(provider.url);
    const names = await rawHeaderNames(
      `GET /v3/certificates HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: a\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
    );
    expect(names).toEqual(expect.arrayContaining(["Request-ID", "Content-Language", "X-Content-Type-Options"]));
  });
});

describe("version 2", () => {
  it.each([
    ["micropay", "/pay/micropay", "notify_url", "http://127.0.0.1:9/"],
    ["reverse", "/secapi/pay/reverse", "notify_url", "http://127.0.0.1:9/"],
    ["unified order", "/pay/unifiedorder", "auth_code", "134567890123456789"],
    ["refund", "/secapi/pay/refund", "detail", "{}"],
    ["close order", "/pay/closeorder", "transaction_id", "1"],
    ["query order", "/pay/orderquery", "out_refund_no", "1"],
  ])("refuses a parameter that %s does not know, unsigned", async (_call, path, name, value) => {
    const reply = await v2.call(path, { out_trade_no: "UNKNOWN_1", [name]: value });
    expect(reply.fields).toEqual({ return_code: "FAIL", return_msg: `不识别的参数${name}` });
  });

  it("accepts every documented parameter of an order", async () => {
    const fields = {
      ...{ device_info: "013467007045764", detail: "{}", attach: "a", fee_type: "CNY", goods_tag: "WXG", receipt: "Y" },
      ...{ limit_pay: "no_credit", profit_sharing: "N", scene_info: "{}", version: "1.0", product_id: "1" },
    };
    expect(outcomeOf(await v2.place("DOCUMENTED_1", fields))).toBe("SUCCESS");
  });

  it("refuses an order whose time to pay is over", async () => {
    const time = (hours: number) =>
      new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().replace(/\D/g, "").slice(0, 14);
    const over = { time_start: time(-8), time_expire: time(-6) };
    expect(outcomeOf(await v2.place("OVER_1", over))).toBe("INVALID_REQUEST");
    expect(outcomeOf(await v2.place("OVER_1", { time_start: time(-8), time_expire: time(1) }))).toBe("SUCCESS");
  });

  it("takes a document type in a CDATA section as text", async () => {
    expect(outcomeOf(await v2.place("CDATA_1", { attach: "<!DOCTYPE html><!ENTITY a>" }))).toBe("SUCCESS");
    await provider.control("POST", "/orders/CDATA_1/pay", {});
    expect((await v2.query("CDATA_1")).fields["attach"]).toBe("<!DOCTYPE html><!ENTITY a>");
  });
});
