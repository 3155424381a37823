/** The provider's published wire formats, with vectors that another client library gives too. */
import { createHash, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { compactTime, offsetTime, readCompactTime, spacedTime } from "../../../server/payment-wire/provider-time.ts";
import { readPlainXml } from "../../../server/payment-wire/plain-xml.ts";
import { openRefundInfo, sealRefundInfo } from "../../../server/payment-wire/refund-info-v2.ts";
import { seal, unseal } from "../../../server/payment-wire/sealed-v3.ts";
import {
  isSignedV3,
  readAuthorization,
  replyMessage,
  requestMessage,
  signV3,
  writeAuthorization,
} from "../../../server/payment-wire/signature-v3.ts";
import { isSignedV2, signV2 } from "../../../server/payment-wire/sign-v2.ts";
import { readXmlV2, writeXmlV2, XmlFormatError } from "../../../server/payment-wire/xml-v2.ts";

const keyV2 = "hearthApiV2Key0123456789abcdef01";
const keyV3 = "hearthApiV3Key0123456789abcdef01";
const fieldsOf = (joined: string) => Object.fromEntries(new URLSearchParams(joined.replaceAll("+", "%2B")));
const order = fieldsOf(
  "appid=wxd930ea5d5a258f4f&body=Hearth test order&mch_id=1900000109&nonce_str=5K8264ILTKCH16CQ2502SI8ZNMTM67VS&notify_url=http://127.0.0.1:3080/api/payments/notifications&openid=oUpF8uMuAJO_M2pxb1Q9zNjWeS6o&out_trade_no=HEARTH20260101000001&spbill_create_ip=127.0.0.1&total_fee=101&trade_type=JSAPI",
);
const pay = fieldsOf(
  "appId=wxd930ea5d5a258f4f&nonceStr=5K8264ILTKCH16CQ2502SI8ZNMTM67VS&package=prepay_id=wx201410272009395522657a690389285100&signType=MD5&timeStamp=1767225600",
);
const notification = fieldsOf(
  "appid=wxd930ea5d5a258f4f&bank_type=OTHERS&cash_fee=101&fee_type=CNY&is_subscribe=N&mch_id=1900000109&nonce_str=5d2b6c2a8db53831f7eda20af46e531c&openid=oUpF8uMuAJO_M2pxb1Q9zNjWeS6o&out_trade_no=HEARTH20260101000001&result_code=SUCCESS&return_code=SUCCESS&time_end=20260101080000&total_fee=101&trade_type=JSAPI&transaction_id=4200000000202601010000000001",
);
const app = fieldsOf(
  "appid=wxd930ea5d5a258f4f&noncestr=5K8264ILTKCH16CQ2502SI8ZNMTM67VS&package=Sign=WXPay&partnerid=1900000109&prepayid=wx201410272009395522657a690389285100&timestamp=1767225600",
);

describe("signatures of version 2", () => {
  it.each([
    ["an order, MD5, an empty field left out", { ...order, attach: "" }, "MD5", "43CCD50FD16A5E364AA9AD218D41E289"],
    [
      "an order, HMAC-SHA256",
      { ...order, sign_type: "HMAC-SHA256" },
      "HMAC-SHA256",
      "0612312F8E6A67A9E2AB106DB26E62C2CC5414CEA0BD7533677DD7D825E554B5",
    ],
    ["pay parameters, MD5", pay, "MD5", "B0B7150F1FF3D549EDAF17472376A0B0"],
    [
      "pay parameters, HMAC-SHA256",
      { ...pay, signType: "HMAC-SHA256" },
      "HMAC-SHA256",
      "8F3F6269DA0A09C5C49775545CDEEEB4B707774D003B1BE622FBF7DD44CC9331",
    ],
    ["app parameters, MD5", app, "MD5", "E36971867501E0A36C6A613D5FF20A5B"],
    ["a notification, MD5", notification, "MD5", "550AAE8F3F2D28CA0939A52245BEAF4E"],
    [
      "a notification, HMAC-SHA256",
      notification,
      "HMAC-SHA256",
      "247DD679CD53967FCD4133FB668499A6E4EE6D90B0B2CBF584647D8C9D7D38F9",
    ],
  ] as const)("equal the known one of %s", (_what, fields, type, sign) => {
    expect(signV2(fields, keyV2, type)).toBe(sign);
    expect(isSignedV2({ ...fields, sign }, keyV2, type)).toBe(true);
  });

  it("are refused when missing, of the other type, or when any field is changed or added", () => {
    const signed: Record<string, string> = { ...order, sign: signV2(order, keyV2) };
    expect(isSignedV2(order, keyV2)).toBe(false);
    expect(isSignedV2(signed, keyV2, "HMAC-SHA256")).toBe(false);
    for (const name of Object.keys(order))
      expect(isSignedV2({ ...signed, [name]: `${signed[name] ?? ""}1` }, keyV2)).toBe(false);
    expect(isSignedV2({ ...signed, coupon_fee: "1" }, keyV2)).toBe(false);
  });
});

/** Without the white space between the fields. */
const textless = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "#text"));

describe("XML of version 2", () => {
  const value = fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => /^[\x20-\uD7FF\uE000-\uFFFD]*$/.test(text));
  it("gives back every field that was written", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z][a-z_0-9]{0,20}$/), value, { minKeys: 1 }), (fields) => {
        expect({ ...readXmlV2(writeXmlV2(fields)) }).toEqual({ ...fields });
      }),
    );
  });

  it("gives back line ends as they were, also by a parser that makes all of them line feeds (XML 1.0, 2.11)", () => {
    const piece = fc.constantFrom("\r", "\n", "\r\n", "a", " ", "]]>", "]", "&", "&#13;", "<", ">");
    const broken = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(broken, fc.constantFrom("xml", "root"), (attach, root) => {
        const xml = writeXmlV2({ attach }, root).replaceAll(/\r\n?/g, "\n");
        expect({ ...readXmlV2(xml) }).toEqual({ attach });
      }),
    );
  });

  it("reads by its quick way just what a whole parser reads, and leaves the rest to that", () => {
    const wholeParser = new XMLParser({ parseTagValue: false, trimValues: false });
    const often = <Value>(usual: readonly Value[], odd: readonly Value[]) =>
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
    const markup = ["<b>1</b>", "<!-- c -->", "<?p i?>", "<![CDATA[x]]>", "<a>", "</a>", "<a/>", "&lt;", "&", "<"];
    const piece = often(["1", "a b", "é", ">", "]"], [...markup, " ", "", "\n", "]]", "]]>", "\r", "\u0001", "😀"]);
    const value = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));
    const element = fc
      .tuple(
        often(["a", "b", "c1_d", "e"], ["constructor", "é", "A", "a-b"]),
        value,
        fc.boolean(),
        often([""], [" ", " x='1'"]),
      )
      .map(([tag, inner, cdata, more]) => `<${tag}${more}>${cdata ? `<![CDATA[${inner}]]>` : inner}</${tag}>`);
    const text = fc
      .tuple(
        often(["", "<?xml version='1.0'?>"], ["x", "<!-- -->"]),
        fc.array(element, { maxLength: 3 }),
        often(["", "\n "], ["x"]),
      )
      .map(([before, elements, between]) => `${before}<xml>${elements.join(between)}${between}</xml>`);
    let plain = 0;
    fc.assert(
      fc.property(text, (xml) => {
        const quick = readPlainXml(xml);
        if (!quick) return;
        plain++;
        expect(XMLValidator.validate(xml)).toBe(true);
        expect({ ...quick }).toEqual(textless(wholeParser.parse(xml)["xml"]));
      }),
      { numRuns: 3000 },
    );
    expect(plain).toBeGreaterThan(100);
  });

  it("reads plain text, CDATA, white space between fields and any root alike", () => {
    expect({ ...readXmlV2("<root>\n <a>1 &lt; 2</a>\n <b><![CDATA[<&>]]></b>\n</root>") }).toEqual({
      a: "1 < 2",
      b: "<&>",
    });
  });

  it("reads characters by their numbers, as Go writes quotes and Python writes Chinese", () => {
    const text = "<xml><a>{&#34;h5&#34;:1}</a><b>&#27979;&#x8bd5;</b><c>&amp;#34;</c><d><![CDATA[&#34;]]></d></xml>";
    expect({ ...readXmlV2(text) }).toEqual({ a: '{"h5":1}', b: "测试", c: "&#34;", d: "&#34;" });
  });

  it.each([
    ["a document type", '<!DOCTYPE xml [<!ENTITY a SYSTEM "file:///etc/passwd">]><xml><a>&a;</a></xml>'],
    ["a field that is there twice", "<xml><a>1</a><a>2</a></xml>"],
    ["a field with fields in it", "<xml><a><b>1</b></a></xml>"],
    ["a tag that is not closed", "<xml><a>1</xml>"],
    ["a reference to a character that XML forbids", "<xml><a>1&#0;2</a></xml>"],
    ["such a reference behind what an attribute makes look like a comment", '<xml><a b="<!--">1&#1;2</a></xml>'],
    ["a character that XML forbids", "<xml><a>1\u00012</a></xml>"],
    ["a second root", "<xml><a>1</a></xml><xml/>"],
    ["an unknown entity", "<xml><a>1&foo;2</a></xml>"],
    ["the end of a section that none has begun", "<xml><a>1]]>2</a></xml>"],
    ["no XML", "return_code=SUCCESS"],
    ["nothing", ""],
  ])("refuses %s", (_what, text) => {
    expect(() => readXmlV2(text)).toThrow(XmlFormatError);
  });
});

describe("the refund part of a version 2 notification", () => {
  const xml =
    "<root><out_refund_no><![CDATA[R1]]></out_refund_no><refund_status><![CDATA[SUCCESS]]></refund_status></root>";
  const sealed =
    "iFl7TRSvZyGVFyNg0R/ecmw8hSoaCfD/HmC/fs3uVo+yqqepLBxtcglqZs9FRghGdpTxbgZ5qlCGbfjIrgO7Oqp786GleHSXpzIUzUFb689dQgcdLzMhgW476XPz8dzlZ2SKHb/EFxE8rFDjYy3Prw==";
  it("is the known one, and opens with the right key only", () => {
    expect(sealRefundInfo(xml, keyV2)).toBe(sealed);
    expect(openRefundInfo(sealed, keyV2)).toBe(xml);
    expect(() => openRefundInfo(sealed, keyV3)).toThrow();
  });

  it("has a whole block of padding after a text that fills its blocks", () => {
    expect(Buffer.from(sealRefundInfo("x".repeat(32), keyV2), "base64")).toHaveLength(48);
  });
});

describe("version 3", () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const [timestamp, nonce] = ["1767225600", "593BEC0C930BF1AFEB40B4A08C8FB242"];
  it("signs the known messages", () => {
    const body = '{"mchid":"1900000109","amount":{"total":101,"currency":"CNY"}}';
    const post = requestMessage({ method: "POST", target: "/v3/pay/transactions/jsapi", timestamp, nonce, body });
    expect(sha256(post)).toBe("f50cd95b0e59f7e7105894e35d8b32465a8c9c7ef67bc5f44c83df34dc97371c");
    const target = "/v3/pay/transactions/out-trade-no/HEARTH20260101000001?mchid=1900000109";
    const get = requestMessage({ method: "GET", target, timestamp, nonce, body: "" });
    expect(sha256(get)).toBe("22ea87ba5edb5ac5ae34b2d51b34855589d30011418b07bc1dd5e71f3289a94d");
    const replyNonce = "c5ac7061fccab6bf3e254dcf98995b8c";
    const reply = replyMessage(timestamp, replyNonce, '{"prepay_id":"wx201410272009395522657a690389285100"}');
    expect(sha256(reply)).toBe("98723b0a114c3ab945acf3a7bf2841c628c061998609de5c218b80244b5e80d2");
    expect(sha256(replyMessage(timestamp, replyNonce, ""))).toBe(
      "9c32428355b85247537ac9faa0850060b1797923cfd3c076d51dfa06d9e15384",
    );
  });

  it("verifies what it signed, and nothing else", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const signature = await signV3("a message", privateKey.export({ type: "pkcs8", format: "pem" }));
    const key = publicKey.export({ type: "spki", format: "pem" });
    expect(isSignedV3("a message", signature, key)).toBe(true);
    expect(isSignedV3("another", signature, key)).toBe(false);
    expect(isSignedV3("a message", `WECHATPAY/SIGNTEST/${signature}`, key)).toBe(false);
  });

  it("refuses a right signature with anything in it or behind it", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const signature = await signV3("a message", privateKey.export({ type: "pkcs8", format: "pem" }));
    const isTaken = (changed: string) => isSignedV3("a message", changed, publicKey);
    for (const junk of ["=", " ", "!", "\n", "AAAA", "%00"])
      expect([isTaken(signature + junk), isTaken(signature.slice(0, 9) + junk + signature.slice(9))], junk).toEqual([
        ...[false, false],
      ]);
  });

  it("reads the Authorization header with its pairs in any order", () => {
    const values = { mchid: "1900000109", nonce_str: nonce, timestamp, serial_no: "5A0B", signature: "ab+/c==" };
    const header = writeAuthorization(values);
    expect(readAuthorization(header)).toEqual(values);
    const [scheme = "", pairs = ""] = header.split(" ");
    expect(readAuthorization(`${scheme} ${pairs.split(",").reverse().join(",")}`)).toEqual(values);
    expect(readAuthorization(header.replace(/,serial_no="5A0B"/, ""))).toBeUndefined();
    expect(readAuthorization(header.replace(scheme, "Bearer"))).toBeUndefined();
    expect(readAuthorization(undefined)).toBeUndefined();
  });

  it("seals the known text, and opens it only untouched", () => {
    const text = '{"out_trade_no":"HEARTH20260101000001","trade_state":"SUCCESS","amount":{"total":101}}';
    const sealed = seal(text, keyV3, "transaction", "fdasflkja484");
    expect(sealed.ciphertext).toBe(
      "/6c1Q/2PJCX1Ky8j0WIv7wLzxfcB8NJOxHvXQwwmrA/cO9pp/L5o+vPDoJA5ARhI1MLLWMoIyk2hoxalmKa3t8iKQMEiXhS5t3UT9XLxDKyg5HrROmF5PugwjYLyLYzRstcVbGYH",
    );
    expect(unseal(sealed, keyV3)).toBe(text);
    const bytes = Buffer.from(sealed.ciphertext, "base64");
    bytes[bytes.length - 1]! ^= 1;
    expect(() => unseal({ ...sealed, ciphertext: bytes.toString("base64") }, keyV3)).toThrow();
    expect(() => unseal({ ...sealed, associated_data: "refund" }, keyV3)).toThrow();
    expect(() => unseal(sealed, keyV2)).toThrow();
    expect(() => unseal({ ...sealed, ciphertext: "" }, keyV3)).toThrow();
  });
});

describe("times of the provider", () => {
  it("are in China's time zone, in the three forms", () => {
    const at = Date.parse("2025-12-31T16:00:00Z") + 5 * 1000;
    expect([compactTime(at), spacedTime(at), offsetTime(at)]).toEqual([
      "20260101000005",
      "2026-01-01 00:00:05",
      "2026-01-01T00:00:05+08:00",
    ]);
    expect(readCompactTime("20260101000005")).toBe(at);
    for (const text of ["20261301000005", "20260231000005", "20260228240000", "20260228006000", "20250229000000"])
      expect(readCompactTime(text), text).toBeUndefined();
    expect(compactTime(readCompactTime("20240229235959") ?? 0)).toBe("20240229235959");
  });
});
