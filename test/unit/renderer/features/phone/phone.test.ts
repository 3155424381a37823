import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { spellHeader, spellings } from "../../../../../server/contract/mini-program/header-spelling.ts";
import { withoutSecrets } from "../../../../../renderer/features/phone/secret-fields.ts";
import { slowMs } from "../../../../../renderer/features/phone/phone-network.ts";
import { askFor, failureOf } from "../../../../../renderer/features/phone/app/ask-server.ts";
import { isPaidInApp, paymentRefusal } from "../../../../../renderer/features/phone/app/in-app-payment.ts";
import { createSimulatedPhone } from "../../../../../renderer/features/phone/phone.ts";
import { memoryStorage } from "../../../../support/console/memory-storage.ts";
import { tradeType } from "../../../../../server/contract/provider/payment-terms.ts";
import { stepOf } from "../../../../../server/app/console/reference-client/hearth-client.ts";

/** A phone whose server answers `replies` in turn, and whose console knows nothing of its calls. */
function setUp(replies: Response[]) {
  const waits: number[] = [];
  const sent: { url: string; init: RequestInit }[] = [];
  const phone = createSimulatedPhone("ada", {
    app: "http://127.0.0.1:3080",
    call: (operation) =>
      operation.path.endsWith("/login")
        ? (Promise.resolve({ code: "the.code", errMsg: "login:ok" }) as never)
        : Promise.reject(new Error("not recorded")),
    fetch: (url, init = {}) => {
      sent.push({ url: url as string, init });
      return Promise.resolve(replies.shift() ?? new Response(null, { status: 500 }));
    },
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    now: () => 1_000,
    storage: memoryStorage().storage,
  });
  return { phone, sent, waits };
}
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

describe("The phone of the console", () => {
  it("spells each header as the platform does, and the reference client reads the step out of all spellings", () => {
    for (const spelling of spellings) {
      expect(spellHeader("www-authenticate", spelling)).toBe(spelling);
      expect(stepOf({ headers: { [spellHeader("WWW-Authenticate", spelling)]: "getUserInfo" } })).toBe("getUserInfo");
    }
    expect(spellHeader("X-REQUEST-ID", "Www-Authenticate")).toBe("X-Request-Id");
  });

  it("calls the server also where the browser makes no UUIDs, as over plain HTTP from another machine", async () => {
    const secure = globalThis.crypto;
    vi.stubGlobal("crypto", { getRandomValues: secure.getRandomValues.bind(secure) });
    const { phone, sent } = setUp([json(200, { data: [] }), json(200, { data: [] })]);
    await phone.request("GET", "/api/articles").finally(() => vi.unstubAllGlobals());
    await phone.request("GET", "/api/articles");
    const ids = sent.map(({ init }) => new Headers(init.headers).get("x-request-id"));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^phone-[\w-]{20,}$/);
  });

  it("logs in when a 401 says so, repeats the request with the token only, and keeps the status package", async () => {
    const status = { access_token: "the.token", expires_in: 7200, uid: "u1" };
    const { phone, sent } = setUp([
      json(401, { Message: "log in" }, { "www-authenticate": "Bearer" }),
      json(201, { status }),
      json(200, { status, data: [] }),
    ]);
    expect((await phone.request("GET", "/api/articles")).status).toBe(200);
    expect(sent.map(({ init }) => init.credentials)).toEqual(["omit", "omit", "omit"]);
    expect(sent.map(({ init }) => new Headers(init.headers).get("authorization"))).toEqual([
      null,
      null,
      "Bearer the.token",
    ]);
    expect(phone.store.getState()).toMatchObject({ status, statusAt: 1_000 });
    expect(JSON.stringify(phone.store.getState().entries)).not.toMatch(/the[.](token|code)/);
  });

  it("calls the application server at its own origin, which the diagram leaves out", async () => {
    const { phone, sent } = setUp([json(200, { data: [] })]);
    await phone.request("GET", "/api/articles?page_size=20");
    phone.setAvatar("/avatars/1");
    expect(sent.map(({ url }) => url)).toEqual(["http://127.0.0.1:3080/api/articles?page_size=20"]);
    const { avatar, entries } = phone.store.getState();
    expect(avatar).toBe("http://127.0.0.1:3080/avatars/1/image");
    expect(entries).toMatchObject([{ path: "/api/articles?page_size=20" }]);
  });

  it("tells an outage during the login as the server words it, not as a refusal of the person", async () => {
    const { phone } = setUp([
      json(401, { Message: "log in" }, { "www-authenticate": "Bearer" }),
      json(503, { Message: "The identity platform does not respond." }),
    ]);
    const failure = await askFor(phone, z.unknown(), ["GET", "/api/articles"]).catch(failureOf);
    expect(failure).toEqual({ kind: "refused", status: 503, message: "The identity platform does not respond." });
  });

  it("sends nothing while it is offline, and says so in the platform's words", async () => {
    const { phone, sent } = setUp([]);
    phone.setNetwork("offline");
    await expect(phone.request("GET", "/api/articles")).rejects.toThrow(/^request:fail/);
    expect(sent).toEqual([]);
    expect(phone.store.getState().entries).toMatchObject([
      { kind: "call", failure: expect.stringContaining("request:fail") },
    ]);
  });

  it("waits before each call while its network is slow", async () => {
    const { phone, waits } = setUp([json(200, { data: [] }), json(200, { data: [] })]);
    phone.setNetwork("slow");
    await phone.request("GET", "/api/articles");
    expect(waits).toEqual([slowMs]);
    phone.setNetwork("good");
    await phone.request("GET", "/api/articles");
    expect(waits).toEqual([slowMs]);
  });

  it("pays in the app what requestPayment takes, and nothing that is scanned, opened or shown", () => {
    expect(tradeType.options.filter(isPaidInApp)).toEqual(["JSAPI", "APP"]);
  });

  it("hears why the platform refused a payment, and no reason where the person cancelled or paid", () => {
    const answers = ["ok", "fail cancel", "fail wrong password", "fail timeStamp: is missing"];
    expect(answers.map((answer) => paymentRefusal(`requestPayment:${answer}`))).toEqual([
      undefined,
      undefined,
      "wrong password",
      "timeStamp: is missing",
    ]);
  });

  it("shows no secret of a body, but the code of an error", () => {
    expect(withoutSecrets({ status: { access_token: "t" }, list: [{ code: "c" }], n: 1 })).toEqual({
      status: { access_token: "{{access_token}}" },
      list: [{ code: "{{code}}" }],
      n: 1,
    });
    expect(withoutSecrets({ Message: "no", code: "login_required" })).toEqual({
      Message: "no",
      code: "login_required",
    });
  });
});
