import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createHearthClient,
  sendByFetch,
  stepOf as stepRead,
  type Detail,
  type HttpRequest,
  type HttpResponse,
} from "../../server/app/console/reference-client/hearth-client.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { basic, bearer, bodyOf, documentationFolder, send, stepOf } from "./spec-client.ts";

const docs = documentationFolder(["Debug", "Release"]);
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { basic_auth: true }, apiDocs: { folder: docs.path } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  docs[Symbol.dispose]();
});

const articles = (headers: Record<string, string> = {}) => send(`${app.url}/api/articles`, "GET", headers);
const spellings = ["Www-Authenticate", "WWW-Authenticate", "www-authenticate", "WWW-AUTHENTICATE"];

/** A client of a simulated person, and which steps it has carried out. */
function clientOf(user: string, token = "", transport: (request: HttpRequest) => Promise<HttpResponse> = sendByFetch) {
  const asked: string[] = [];
  const kept = new Map([["hearth.status", token === "" ? "" : JSON.stringify({ access_token: token, uid: "" })]]);
  const ask = (step: string) => async () => {
    asked.push(step);
    return (await app.sim(user, step)) as Detail & { code: string };
  };
  const client = createHearthClient(app.url, {
    login: async () => (await ask("login")()).code,
    getUserInfo: ask("user-info"),
    getPhoneNumber: ask("phone-number"),
    send: transport,
    storage: { get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value) },
  });
  return { client, asked };
}

describe("Login conditions", () => {
  it("[Login conditions 1] without a token, or with a worthless one, 401; the client logs in and gets a new token", async () => {
    for (const headers of [{}, bearer("invented"), { Authorization: "Bearer " }, { "X-Access-Token": "" }])
      expect(stepOf(await articles(headers))).toEqual([401, "Bearer"]);
    const expired = await app.login("conditions-1");
    await send(`${app.url}/api/sessions/current`, "DELETE", bearer(expired.access_token));
    await app.loggedIn("conditions-1");
    const { client, asked } = clientOf("conditions-1", expired.access_token);
    expect((await client.request("GET", "/api/articles")).status).toBe(200);
    expect(asked).toEqual(["login"]);
    expect(client.status()?.access_token).not.toBe(expired.access_token);
  });

  it("[Login conditions 2] a valid token without user info: 401 getUserInfo, and the client makes that call", async () => {
    const { access_token } = await app.login("conditions-2");
    expect(stepOf(await articles(bearer(access_token)))).toEqual([401, "getUserInfo"]);
    const { client, asked } = clientOf("conditions-2", access_token);
    expect((await client.request("GET", "/api/articles")).status).toBe(200);
    expect(asked[0]).toBe("user-info");
  });

  it("[Login conditions 2] a known unionid is enough: the next step is getPhoneNumber", async () => {
    await send(`${app.provider.url}/sim/users/conditions-2-follower`, "PATCH", {}, { follows_account: true });
    const { client, asked } = clientOf("conditions-2-follower");
    expect((await client.request("GET", "/api/articles")).status).toBe(200);
    expect(asked).toEqual(["login", "phone-number"]);
  });

  it("[Login conditions 3] a valid token without a phone number: 401 getPhoneNumber, and the client makes that call", async () => {
    const { access_token } = await app.login("conditions-3");
    const info = await app.sim("conditions-3", "user-info");
    await app.post(`${app.url}/api/userinfos`, info, bearer(access_token));
    expect(stepOf(await articles(bearer(access_token)))).toEqual([401, "getPhoneNumber"]);
    const { client, asked } = clientOf("conditions-3", access_token);
    expect((await client.request("GET", "/api/articles")).status).toBe(200);
    expect(asked).toEqual(["phone-number"]);
  });
});

describe("Header spelling", () => {
  it.each(spellings)(
    "[Header spelling 1] a client gets through where the platform spells the header %s",
    async (name) => {
      const respelled = async (request: HttpRequest) => {
        const { headers, ...rest } = await sendByFetch(request);
        const { "www-authenticate": step, ...others } = headers;
        return { ...rest, headers: { ...others, ...(step !== undefined && { [name]: step }) } };
      };
      const { client, asked } = clientOf(`spelling-${name}`, "", respelled);
      expect((await client.request("GET", "/api/articles")).status).toBe(200);
      expect(asked).toEqual(["login", "user-info", "phone-number"]);
    },
  );

  it("[Header spelling 1] of several spellings the first in the list counts", () => {
    for (const [index, name] of spellings.entries()) {
      const later = spellings.slice(index + 1).map((one) => [one, "getPhoneNumber"]);
      expect(stepRead({ headers: Object.fromEntries([...later, [name, "getUserInfo"]]) })).toBe("getUserInfo");
    }
  });
});

describe("HTTP Basic", () => {
  const account = async (user: string, password = "correct horse") =>
    app.post(`${app.url}/api/accounts`, { user, password }, await app.loggedIn(user));
  const me = (headers: Record<string, string>) => send(`${app.url}/api/accounts/me`, "GET", headers);

  it("[HTTP Basic 1] the base64 of user:password is understood, colons in the password too", async () => {
    await account("basic-1");
    expect(await bodyOf(await me(basic("basic-1", "correct horse")))).toMatchObject({ user: "basic-1" });
    const session = await app.post(`${app.url}/api/sessions`, {}, basic("basic-1", "correct horse"));
    expect(session.status).toBe(201);
    await account("basic-1-colon", "correct:horse:");
    expect((await me(basic("basic-1-colon", "correct:horse:"))).status).toBe(200);
    expect((await me({ Authorization: "Basic bm9jb2xvbg==" })).status).toBe(400);
  });

  it("[HTTP Basic 2] it is off unless the setting switches it on, and described as discouraged", async () => {
    await using standard = await startTestApp();
    const refused = await standard.post(`${standard.url}/api/sessions`, {}, basic("basic-2", "correct horse"));
    expect(refused.status).toBe(400);
    const { components } = await bodyOf(await fetch(`${app.url}/swagger/docs/v1`));
    expect(components.securitySchemes.basic.description).toMatch(/discouraged/i);
  });

  it("[HTTP Basic 3] where it is asked for and missing, the header makes a browser prompt", async () => {
    const [status, challenge] = stepOf(await me({}));
    expect(status).toBe(401);
    expect(challenge).toMatch(/^Basic realm="/);
  });
});

describe("Token", () => {
  it("[Token 1] it travels as Bearer or in X-Access-Token, as described, and never in the query", async () => {
    const { Authorization = "" } = await app.loggedIn("token-1");
    const token = Authorization.replace("Bearer ", "");
    expect((await articles({ Authorization })).status).toBe(200);
    expect((await articles({ "X-Access-Token": token })).status).toBe(200);
    expect((await send(`${app.url}/api/articles?access_token=${token}`, "GET", {})).status).toBe(400);
    const { components } = await bodyOf(await fetch(`${app.url}/swagger/docs/v1`));
    expect(components.securitySchemes).toMatchObject({
      sessionToken: { type: "http", scheme: "bearer" },
      sessionTokenHeader: { type: "apiKey", in: "header", name: "X-Access-Token" },
    });
  });

  it("[Token 2] it has 256 random bits, and lives as long as is configured", async () => {
    await using short = await startTestApp({ settings: { session_ttl_seconds: 100 } });
    const [one, other] = [await short.login("token-2"), await short.login("token-2")];
    expect(one.access_token).not.toBe(other.access_token);
    expect(Buffer.from(one.access_token, "base64url")).toHaveLength(32);
    expect(one.expires_in).toBeLessThanOrEqual(100);
    short.clock.offsetMs += 100_001;
    expect((await send(`${short.url}/api/sessions/current`, "GET", bearer(one.access_token))).status).toBe(401);
  });
});
