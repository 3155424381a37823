/** Message push: the platform's events at the server that the app has named. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { encryptPush } from "../../../../server/provider/payments/message-push/message-crypto.ts";
import { pushReceiver, pushSecrets, type ReceivedPush } from "../../../support/payments/push-receiver.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";
import { thirdParty } from "../../../support/third-party.ts";

const sign = (...values: string[]) => createHash("sha1").update(values.toSorted().join("")).digest("hex");

const nobody: ReceivedPush = { query: {}, body: "", type: undefined };

type Push = Record<string, unknown> & { attempts: Record<string, unknown>[] };
const pushes = async (provider: TestProvider) => (await provider.control("GET", "/pushes")) as unknown as Push[];

/** Lets the platform check a picture, which raises an event. */
async function checkMedia(provider: TestProvider, version?: 2) {
  const { openid } = await provider.session("eve");
  const access_token = await provider.accessToken();
  const body = { version, scene: 1, openid, media_url: "https://example.com/a.png", media_type: 2 };
  const { trace_id } = await provider.postJson("/wxa/media_check_async", { access_token }, body);
  return { openid, trace_id };
}

describe("message push", () => {
  it("stores a receiver that returns echostr, and no other", async () => {
    await using provider = await startTestProvider();
    await using receiver = await pushReceiver();
    receiver.state.echoes = false;
    expect(await receiver.subscribe(provider)).toMatchObject({
      code: "receiver_not_verified",
      details: [{ field: "url" }],
    });
    expect(await provider.control("GET", "/message-push")).toEqual({ receiver: null });
    receiver.state.echoes = true;
    const stored = await receiver.subscribe(provider);
    expect(stored).toEqual({ url: receiver.url, format: "JSON", mode: "plain" });
    expect(await provider.control("GET", "/message-push")).toEqual({ receiver: stored });
    const { signature, timestamp = "", nonce = "", from } = receiver.verified.at(-1) ?? {};
    expect(signature).toBe(sign(pushSecrets.token, timestamp, nonce));
    expect(from).toBe("platform");
  });

  it("requires the secrets of a first receiver by name, and later keeps those that are omitted", async () => {
    await using provider = await startTestProvider();
    await using receiver = await pushReceiver();
    const set = (changed: object) =>
      provider.control("PUT", "/message-push", { url: receiver.url, format: "JSON", mode: "plain", ...changed });
    const { token } = pushSecrets;
    expect(await set({})).toMatchObject({ code: "bad_request", details: [{ field: "token" }] });
    expect(await set({ token })).toMatchObject({ details: [{ field: "encoding_aes_key" }] });
    expect(await set({ token: "a-b" })).toMatchObject({ details: [{ field: "token" }] });
    expect(await set(pushSecrets)).toMatchObject({ mode: "plain" });
    expect(await set({ mode: "safe" })).toEqual({ url: receiver.url, format: "JSON", mode: "safe" });
    const { signature, timestamp = "", nonce = "" } = receiver.verified.at(-1) ?? {};
    expect(signature).toBe(sign(token, timestamp, nonce));
  });

  it("sends the result of a media check as JSON, signed, and shows it with its trace", async () => {
    await using provider = await startTestProvider();
    await using receiver = await pushReceiver();
    await receiver.subscribe(provider);
    const { openid, trace_id } = await checkMedia(provider, 2);
    await expect.poll(() => receiver.received.length).toBe(1);
    const [{ query, body, type } = nobody] = receiver.received;
    expect(type).toBe("application/json");
    const { timestamp = "", nonce = "" } = query;
    expect(query).toMatchObject({ openid, signature: sign(pushSecrets.token, timestamp, nonce) });
    const result = { suggest: "pass", label: 100 };
    const message = {
      ...{ ToUserName: expect.stringMatching(/^gh_[0-9a-f]{12}$/), FromUserName: openid, MsgType: "event" },
      CreateTime: Math.floor(provider.clock.now() / 1000),
      ...{ Event: "wxa_media_check", appid: provider.app.appid, trace_id, version: 2, result },
      detail: [{ strategy: "content_model", errcode: 0, ...result, prob: 90 }],
    };
    expect(JSON.parse(body)).toEqual(message);
    await expect.poll(async () => (await pushes(provider))[0]?.["state"]).toBe("accepted");
    const [push] = await pushes(provider);
    expect(push?.attempts).toEqual([
      expect.objectContaining({ status: 200, reply: "success", body, trace_id: expect.any(String) }),
    ]);
  });

  it("encrypts in safe mode so that a third-party client reads it", async () => {
    await using provider = await startTestProvider();
    await using receiver = await pushReceiver();
    await receiver.subscribe(provider, { mode: "safe", format: "XML" });
    const { trace_id } = await checkMedia(provider);
    await expect.poll(() => receiver.received.length).toBe(1);
    const [{ query, body } = nobody] = receiver.received;
    const sealed = /<Encrypt><!\[CDATA\[(.*)\]\]><\/Encrypt>/.exec(body)?.[1] ?? "";
    const { timestamp = "", nonce = "", msg_signature = "" } = query;
    expect(query).toMatchObject({ encrypt_type: "aes" });
    expect(msg_signature).toBe(sign(pushSecrets.token, timestamp, nonce, sealed));
    const { default: nest } = await thirdParty("nest-wechat");
    const key = nest.MessageCrypto.getAESKey(pushSecrets.encoding_aes_key);
    const text = nest.MessageCrypto.decrypt(key, nest.MessageCrypto.getAESKeyIV(key), sealed);
    expect(text).toContain(`<trace_id><![CDATA[${String(trace_id)}]]></trace_id>`);
    expect(text).toContain("<isrisky>0</isrisky>");
  });

  it("encrypts the known text to the known bytes", () => {
    const random = Buffer.from("aaaabbbbccccdddd");
    expect(encryptPush("我是中文abcd123", "wxb11529c136998cb6", pushSecrets.encoding_aes_key, random)).toBe(
      "jn1L23DB+6ELqJ+6bruv21Y6MD7KeIfP82D6gU39rmkgczbWwt5+3bnyg5K55bgVtVzd832WzZGMhkP72vVOfg==",
    );
  });

  it("retries three times, then gives up until a replay", async () => {
    await using provider = await startTestProvider();
    await using receiver = await pushReceiver();
    await provider.control("PATCH", "/settings", { timeScale: 0 });
    await receiver.subscribe(provider);
    receiver.state.status = 500;
    expect(await provider.control("POST", "/pushes", { event: "trade_manage_remind_access_api" })).toMatchObject({
      event: "trade_manage_remind_access_api",
    });
    await expect.poll(async () => (await pushes(provider))[0]?.["state"]).toBe("given_up");
    const [push] = await pushes(provider);
    expect(push?.attempts.map(({ problem }) => problem)).toEqual(Array(4).fill("The reply has the status 500."));
    receiver.state.status = 200;
    receiver.state.reply = "";
    expect(await provider.control("POST", `/pushes/${String(push?.["id"])}/replay`)).toMatchObject({
      state: "accepted",
    });
    expect(receiver.received).toHaveLength(5);
    expect(await provider.control("POST", "/pushes/999/replay")).toMatchObject({ code: "not_found" });
  });

  it("goes on with its retries after a restart and in a loaded state", async () => {
    await using provider = await startTestProvider();
    await using receiver = await pushReceiver();
    await receiver.subscribe(provider);
    receiver.state.status = 500;
    await checkMedia(provider, 2);
    await expect.poll(async () => (await pushes(provider))[0]?.["next_attempt_at"]).not.toBeNull();
    await provider.restart();
    receiver.state.status = 200;
    const document = await provider.control("GET", "/state");
    await provider.control("DELETE", "/state");
    expect(await pushes(provider)).toEqual([]);
    await provider.control("PUT", "/state", document);
    await provider.control("POST", `/pushes/${String((await pushes(provider))[0]?.["id"])}/replay`);
    expect(await pushes(provider)).toMatchObject([{ event: "wxa_media_check", state: "accepted" }]);
  });

  it("reports answers, removals and sent messages of subscriptions", async () => {
    await using provider = await startTestProvider();
    await using receiver = await pushReceiver();
    await receiver.subscribe(provider);
    const { openid } = await provider.session("bob");
    await provider.control("PUT", "/message-templates/paid", { title: "Paid", content: "{{thing1.DATA}}" });
    await provider.control("POST", "/users/bob/message-subscriptions", { tmplIds: ["paid"] });
    const access_token = await provider.accessToken();
    const body = { touser: openid, template_id: "paid", data: { thing1: { value: "tea" } } };
    await provider.postJson("/cgi-bin/message/subscribe/send", { access_token }, body);
    await fetch(`${provider.url}/sim/users/bob/message-subscriptions/paid`, { method: "DELETE" });
    const event = async (name: string) => (await pushes(provider)).find((push) => push["event"] === name)?.["message"];
    const item = { TemplateId: "paid", SubscribeStatusString: "accept" };
    const lists = [
      ["subscribe_msg_popup_event", { ...item, PopupScene: "0" }],
      ["subscribe_msg_sent_event", [{ TemplateId: "paid", MsgID: "1", ErrorCode: "0", ErrorStatus: "success" }]],
      ["subscribe_msg_change_event", [{ ...item, SubscribeStatusString: "reject" }]],
    ] as const;
    for (const [name, List] of lists)
      expect(JSON.parse(String(await event(name)))).toMatchObject({ FromUserName: openid, Event: name, List });
  });

  it("sends nothing without a receiver", async () => {
    await using provider = await startTestProvider();
    await checkMedia(provider, 2);
    expect(await pushes(provider)).toEqual([]);
    expect(await provider.control("POST", "/pushes", { event: "trade_manage_remind_access_api" })).toMatchObject({
      code: "no_push_receiver",
    });
  });
});
