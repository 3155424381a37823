/** What an app's server asks of the mini-program platform: codes and links, subscription messages, content checks. */
import { inflateSync } from "node:zlib";
import decodeQR from "qr/decode.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let access_token: string;
beforeAll(async () => {
  provider = await startTestProvider();
  await wait(0);
});
afterAll(() => provider[Symbol.asyncDispose]());

/** Moves the clock, and gets an access token that is valid then. */
async function wait(ms: number): Promise<void> {
  provider.clock.offsetMs += ms;
  const reply = await provider.call("/cgi-bin/token", { ...provider.app, grant_type: "client_credential" });
  access_token = String(reply["access_token"]);
}
const call = (path: string, body: unknown) => provider.postJson(path, { access_token }, body);
const openid = async (name: string) => (await provider.session(name)).openid;
const launch = (link: unknown) => provider.control("POST", "/users/ada/launches", { link });

async function draw(path: string, body: unknown) {
  const query = new URLSearchParams({ access_token });
  const reply = await fetch(`${provider.url}${path}?${String(query)}`, { method: "POST", body: JSON.stringify(body) });
  return { type: reply.headers.get("content-type"), image: readPng(Buffer.from(await reply.arrayBuffer())) };
}

/** Reads a PNG of one bit a pixel whose rows are not filtered. */
function readPng(png: Buffer) {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    chunks.set(png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const header = chunks.get("IHDR") as Buffer;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const palette = chunks.get("PLTE") as Buffer;
  const bits = inflateSync(chunks.get("IDAT") as Buffer);
  const rowBytes = 1 + Math.ceil(width / 8);
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = ((bits[y * rowBytes + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      data.set(palette.subarray(bit * 3, bit * 3 + 3), (y * width + x) * 4);
    }
  return { width, height, data, color: [...palette.subarray(3)], transparent: chunks.has("tRNS") };
}

describe("a mini-program code", () => {
  it("of getUnlimited is a PNG of the wanted size that opens the page with its scene", async () => {
    const { type, image } = await draw("/wxa/getwxacodeunlimit", { scene: "a=1&b=2", page: "pages/shop", width: 500 });
    expect(type).toBe("image/png");
    expect(image).toMatchObject({ width: 500, height: 500, color: [0, 0, 0], transparent: false });
    expect(await launch(decodeQR(image))).toEqual({
      path: "pages/shop",
      query: { scene: "a%3D1%26b%3D2" },
      scene: 1047,
      env_version: "release",
    });
  });

  it("of get has the path's query, the colour and a transparent ground", async () => {
    const look = { width: 1, line_color: { r: 200, g: "0", b: 10 }, is_hyaline: true, env_version: "trial" };
    const { image } = await draw("/wxa/getwxacode", { path: "pages/item?id=7&from=code", ...look });
    expect(image).toMatchObject({ width: 280, color: [200, 0, 10], transparent: true });
    expect(await launch(decodeQR(image))).toEqual({
      path: "pages/item",
      query: { id: "7", from: "code" },
      scene: 1047,
      env_version: "trial",
    });
  });

  it("of createQRCode opens as a QR code", async () => {
    const { image } = await draw("/cgi-bin/wxaapp/createwxaqrcode", { path: "pages/item?id=7" });
    expect(await launch(decodeQR(image))).toMatchObject({ path: "pages/item", query: { id: "7" }, scene: 1011 });
  });

  it.each([
    ["/wxa/getwxacode", {}, 40159],
    ["/wxa/getwxacode", { path: "p".repeat(1_025) }, 40159],
    ["/wxa/getwxacodeunlimit", { scene: "" }, 40169],
    ["/wxa/getwxacodeunlimit", { scene: "s".repeat(33) }, 40169],
    ["/wxa/getwxacodeunlimit", { scene: "中文" }, 40129],
    ["/wxa/getwxacodeunlimit", { scene: "a%b" }, 40129],
    ["/wxa/getwxacodeunlimit", { scene: "a", page: "/pages/shop" }, 41030],
    ["/wxa/getwxacodeunlimit", { scene: "a", page: "pages/shop?x=1" }, 41030],
    ["/wxa/getwxacodeunlimit", { scene: 7 }, 47001],
    ["/cgi-bin/wxaapp/createwxaqrcode", { path: "页".repeat(43) }, 40159],
  ])("is refused by %s for %j with %d", async (path, body, errcode) => {
    expect(await call(path, body)).toMatchObject({ errcode });
  });
});

describe("a link into the mini-program", () => {
  it.each([
    [
      "/wxa/generatescheme",
      "openlink",
      1065,
      { jump_wxa: { path: "/pages/item", query: "id=7", env_version: "trial" } },
    ],
    ["/wxa/generate_urllink", "url_link", 1194, { path: "/pages/item", query: "id=7", env_version: "trial" }],
  ])("of %s opens the page until it expires", async (path, member, scene, body) => {
    const reply = await call(path, { ...body, expire_type: 1, expire_interval: 2 });
    expect(reply).toMatchObject({ errcode: 0, errmsg: "ok" });
    expect(await launch(reply[member])).toEqual({
      path: "pages/item",
      query: { id: "7" },
      scene,
      env_version: "trial",
    });
    await wait(2 * 86_400_000);
    expect(await launch(reply[member])).toMatchObject({ code: "link_expired" });
  });

  it("of genwxashortlink opens the page with its query", async () => {
    const reply = await call("/wxa/genwxashortlink", { page_url: "pages/item?id=7", is_permanent: true });
    expect(await launch(reply["link"])).toMatchObject({ path: "pages/item", query: { id: "7" } });
  });

  it.each([
    ["/wxa/generatescheme", { expire_type: 1, expire_interval: 31 }, 85401],
    ["/wxa/generatescheme", { expire_time: 1 }, 85401],
    ["/wxa/generatescheme", { jump_wxa: { path: "a?b" } }, 40165],
    ["/wxa/generatescheme", { jump_wxa: { query: "a=中" } }, 40212],
    ["/wxa/generate_urllink", { query: "a b" }, 40212],
    ["/wxa/genwxashortlink", {}, 40165],
  ])("is refused by %s for %j with %d", async (path, body, errcode) => {
    expect(await call(path, body)).toMatchObject({ errcode });
  });

  it("of somebody else is not opened", async () => {
    expect(await launch("https://example.com/")).toMatchObject({ code: "not_found" });
    expect(await launch("weixin://dl/business/?t=abc")).toMatchObject({ code: "not_found" });
  });
});

describe("a subscription message", () => {
  const template = { title: "Order paid", content: "{{character_string1.DATA}}: {{thing2.DATA}}, {{amount3.DATA}}" };
  const data = { character_string1: { value: "A-7" }, thing2: { value: "两杯奶茶" }, amount3: { value: "¥2.50" } };
  const send = (touser: string, changed: object = {}) =>
    call("/cgi-bin/message/subscribe/send", {
      touser,
      template_id: "order-paid",
      page: "pages/order?id=7",
      data,
      ...changed,
    });
  beforeAll(() => provider.control("PUT", "/message-templates/order-paid", template));

  it("reaches a person once for each acceptance, and can be read there", async () => {
    const bob = await openid("bob");
    expect(await send(bob)).toMatchObject({ errcode: 43101 });
    const subscribe = (deny = "") =>
      provider.control("POST", `/users/bob/message-subscriptions${deny}`, { tmplIds: ["order-paid", "unknown"] });
    expect(await subscribe("?deny")).toEqual({ errMsg: "requestSubscribeMessage:ok", "order-paid": "reject" });
    expect(await send(bob)).toMatchObject({ errcode: 43101 });
    expect(await subscribe()).toEqual({ errMsg: "requestSubscribeMessage:ok", "order-paid": "accept" });
    expect(await send(bob)).toEqual({ errcode: 0, errmsg: "ok" });
    expect(await send(bob)).toMatchObject({ errcode: 43101 });
    expect(await provider.control("GET", "/users/bob/messages")).toEqual([
      {
        id: expect.any(Number),
        template_id: "order-paid",
        title: "Order paid",
        text: "A-7: 两杯奶茶, ¥2.50",
        data: { character_string1: "A-7", thing2: "两杯奶茶", amount3: "¥2.50" },
        page: "pages/order?id=7",
        sent_at: new Date(provider.clock.now()).toISOString(),
      },
    ]);
  });

  it.each([
    [{ touser: "oNobody" }, 40003, "invalid openid"],
    [{ template_id: "other" }, 40037, "invalid template_id"],
    [{ page: "/pages/order" }, 41030, "invalid page"],
    [{ data: { ...data, thing2: {} } }, 47003, "argument invalid! data.thing2.value is empty"],
    [{ data: { ...data, thing2: { value: "太".repeat(21) } } }, 47003, "argument invalid! data.thing2.value invalid"],
    [{ data: { ...data, amount3: { value: "two" } } }, 47003, "argument invalid! data.amount3.value invalid"],
  ])("with %j is refused with %d", async (changed, errcode, errmsg) => {
    expect(await send(await openid("bob"), changed)).toEqual({ errcode, errmsg: expect.stringContaining(errmsg) });
  });
});

describe("a content check", () => {
  const rules = [
    { contains: "bomb", suggest: "risky", label: 20006 },
    { contains: "odd", suggest: "review", label: 20003 },
  ];
  beforeAll(() => provider.control("PUT", "/content-rules", { rules }));
  const check = async (content: string, changed: object = {}) =>
    call("/wxa/msg_sec_check", { version: 2, scene: 1, openid: await openid("eve"), content, ...changed });

  it.each([
    ["a cup of tea", {}, { suggest: "pass", label: 100 }],
    ["a bomb", {}, { suggest: "risky", label: 20006 }],
    ["tea", { title: "an odd one" }, { suggest: "review", label: 20003 }],
  ])("of the text %j with %j answers by the rules", async (content, changed, result) => {
    expect(await check(content, changed)).toMatchObject({ errcode: 0, result, trace_id: expect.any(String) });
  });

  it("of the first version refuses a risky text", async () => {
    expect(await call("/wxa/msg_sec_check", { content: "a bomb" })).toMatchObject({ errcode: 87014 });
    expect(await call("/wxa/msg_sec_check", { content: "tea" })).toEqual({ errcode: 0, errmsg: "ok" });
  });

  it.each([
    [{ openid: "oNobody" }, 40003],
    [{ scene: 5 }, 40129],
    [{ content: "" }, 40097],
    [{ content: "x".repeat(2_501) }, 40097],
  ])("with %j is refused with %d", async (changed, errcode) => {
    expect(await check("tea", changed)).toMatchObject({ errcode });
  });

  it("is refused for a person whose last visit is more than two hours ago", async () => {
    const old = await openid("old");
    await wait(2 * 3_600_000);
    expect(await check("tea", { openid: old })).toMatchObject({ errcode: 0 });
    await wait(1);
    expect(await check("tea", { openid: old })).toMatchObject({ errcode: 61010 });
  });

  it("of a picture is listed with its result", async () => {
    const eve = await openid("eve");
    const media_url = "https://example.com/odd.png";
    const reply = await call("/wxa/media_check_async", { version: 2, scene: 1, openid: eve, media_url, media_type: 2 });
    expect(reply).toMatchObject({ errcode: 0, trace_id: expect.any(String) });
    const { trace_id } = reply;
    const [newest] = (await provider.control("GET", "/media-checks")) as unknown as unknown[];
    expect(newest).toEqual({ trace_id, openid: eve, media_url, suggest: "review", label: 20003 });
    expect(await call("/wxa/media_check_async", { version: 2, scene: 1, openid: eve })).toMatchObject({
      errcode: 40097,
    });
  });
});

describe("every call of the mini-program", () => {
  const paths = [
    ...["/wxa/getwxacode", "/wxa/getwxacodeunlimit", "/cgi-bin/wxaapp/createwxaqrcode", "/wxa/generatescheme"],
    ...["/wxa/generate_urllink", "/wxa/genwxashortlink", "/cgi-bin/message/subscribe/send"],
    ...["/wxa/msg_sec_check", "/wxa/media_check_async"],
  ];
  it.each(paths)("asks for POST, an access token and a body: %s", async (path) => {
    expect(await provider.call(path, { access_token })).toMatchObject({ errcode: 43002 });
    expect(await provider.postJson(path, {}, {})).toMatchObject({ errcode: 41001 });
    expect(await provider.call(path, { access_token }, { method: "POST" })).toMatchObject({ errcode: 44002 });
  });

  it("takes faults", async () => {
    const params = { calls: ["subscribe_send"], errcode: 45009 };
    await provider.control("POST", "/faults", { kind: "identity_errcode", params, times: 1 });
    expect(await call("/cgi-bin/message/subscribe/send", {})).toMatchObject({ errcode: 45009 });
  });

  it("keeps its state in a document and loses it with a reset", async () => {
    const document = await provider.control("GET", "/state");
    const templates = await provider.control("GET", "/message-templates");
    await provider.control("DELETE", "/state");
    expect(await provider.control("GET", "/message-templates")).toEqual([]);
    await provider.control("PUT", "/state", document);
    expect(await provider.control("GET", "/message-templates")).toEqual(templates);
    expect(await provider.control("GET", "/users/bob/messages")).toHaveLength(1);
  });
});
