import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createHearthClient,
  sendByFetch,
  sendByWx,
  type Detail,
  type HttpRequest,
  type Platform,
} from "../../../server/app/console/reference-client/hearth-client.ts";
import { simulatedPlatform } from "../../support/app/simulated-platform.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { builtClient, startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const platformOf = (user: string, changed: Partial<Platform> = {}) => simulatedPlatform(app, user, changed);

describe("the reference client", () => {
  it("goes by itself from nothing over every step to the answer, and keeps the status package", async () => {
    const { platform, asked, kept } = platformOf("new");
    const client = createHearthClient(app.url, platform);
    const response = await client.request("POST", "/api/articles", { title: "first" });
    expect([response.status, response.body]).toEqual([
      201,
      expect.objectContaining({ data: expect.objectContaining({ title: "first" }) }),
    ]);
    expect(asked).toEqual(["login", "user-info", "phone-number"]);
    expect(client.status()).toMatchObject({ access_token: expect.any(String), uid: expect.stringMatching(/^u/) });
    expect([...kept.values()].join()).not.toMatch(/session_key|openid|unionid|138\d{8}/);
  });

  it("asks for nothing again with the package that it has kept", async () => {
    const { platform, asked } = platformOf("again");
    await createHearthClient(app.url, platform).request("GET", "/api/articles");
    asked.length = 0;
    expect((await createHearthClient(app.url, platform).request("GET", "/api/articles")).status).toBe(200);
    expect(asked).toEqual([]);
  });

  it("logs in again when its token has ended, and repeats the request once", async () => {
    const { platform, asked } = platformOf("ended");
    const client = createHearthClient(app.url, platform);
    await client.request("GET", "/api/articles");
    expect(client.status()?.uid).not.toBe("");
    await client.request("DELETE", "/api/sessions/current");
    expect(client.status()?.uid).toBe("");
    asked.length = 0;
    expect((await client.request("GET", "/api/articles")).status).toBe(200);
    expect(asked).toEqual(["login"]);
  });

  it("logs in again when its user info was encrypted under another session key", async () => {
    const { platform, asked } = platformOf("rotated");
    const client = createHearthClient(app.url, platform);
    platform.getUserInfo = async () => {
      if (!asked.includes("user-info")) await app.post(`${app.provider.url}/sim/users/rotated/session-key-rotations`);
      asked.push("user-info");
      return (await (await app.post(`${app.provider.url}/sim/users/rotated/user-info`)).json()) as Detail;
    };
    expect((await client.request("GET", "/api/articles")).status).toBe(200);
    expect(asked).toEqual(["login", "user-info", "login", "phone-number"]);
  });

  it.each(["Www-Authenticate", "WWW-Authenticate", "www-authenticate", "WWW-AUTHENTICATE"])(
    "reads the step from a platform that spells the header %s",
    async (spelling) => {
      const respelled = async (request: HttpRequest) => {
        const { headers, ...rest } = await sendByFetch(request);
        const { "www-authenticate": step, ...others } = headers;
        return { ...rest, headers: { ...others, ...(step !== undefined && { [spelling]: step }) } };
      };
      const { platform, asked } = platformOf(`spelling-${spelling}`, { send: respelled });
      expect((await createHearthClient(app.url, platform).request("GET", "/api/articles")).status).toBe(200);
      expect(asked).toEqual(["login", "user-info", "phone-number"]);
    },
  );

  it("keeps the package of the present login, whatever a slow answer to an earlier token brings", async () => {
    const { platform } = platformOf("slow");
    const answered = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    platform.send = async (request) => {
      const response = await sendByFetch(request);
      if (request.url.endsWith("?slow=1")) {
        answered.resolve();
        await late.promise;
      }
      return response;
    };
    const client = createHearthClient(app.url, platform);
    await client.request("GET", "/api/articles");
    const slow = client.request("GET", "/api/articles?slow=1");
    await answered.promise;
    await client.request("DELETE", "/api/sessions/current");
    await client.request("GET", "/api/articles");
    const present = client.status();
    late.resolve();
    expect((await slow).status).toBe(200);
    expect(client.status()).toEqual(present);
  });

  it("prefers the spellings in the order of the protocol", async () => {
    const { stepOf } = await import("../../../server/app/console/reference-client/hearth-client.ts");
    const headers = {
      "WWW-AUTHENTICATE": "Bearer",
      "www-authenticate": "getPhoneNumber",
      "Www-Authenticate": "getUserInfo",
    };
    expect(stepOf({ headers })).toBe("getUserInfo");
  });

  it("asks the user once for many requests at the same time", async () => {
    const { platform, asked } = platformOf("many");
    const client = createHearthClient(app.url, platform);
    const responses = await Promise.all(Array.from({ length: 10 }, () => client.request("GET", "/api/articles")));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(asked).toEqual(["login", "user-info", "phone-number"]);
  });

  it("speaks through a mini-program's wx.request as well", async () => {
    const wx = {
      request: ({
        url,
        method,
        header,
        data,
        success,
        fail,
      }: Parameters<Parameters<typeof sendByWx>[0]["request"]>[0]) => {
        sendByFetch({ url, method, headers: header, ...(data === undefined ? {} : { body: data }) }).then(
          ({ status, headers, body }) => success({ statusCode: status, header: headers, data: body ?? "" }),
          (error: Error) => fail({ errMsg: error.message }),
        );
      },
    };
    const { platform } = platformOf("wx", { send: sendByWx(wx) });
    expect((await createHearthClient(app.url, platform).request("GET", "/api/articles")).status).toBe(200);
  });

  it("is served by the console, ready to run and as source", async () => {
    const script = await fetch(`${app.url}/console/client.js`);
    expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
    const served = (await import(`data:text/javascript,${encodeURIComponent(await script.text())}`)) as {
      createHearthClient: typeof createHearthClient;
    };
    const { platform } = platformOf("served");
    expect((await served.createHearthClient(app.url, platform).request("GET", "/api/articles")).status).toBe(200);
    expect(await (await fetch(`${app.url}/console/client.ts`)).text()).toContain("export interface Platform");
  });

  it("is served from an installation below a dot folder", async () => {
    using folder = temporaryFolder();
    const clientFolder = join(folder.path, ".npm", "_npx", "client");
    cpSync(builtClient, clientFolder, { recursive: true });
    await using installed = await startTestApp({ clientFolder });
    for (const name of ["client.js", "client.ts"])
      expect((await fetch(`${installed.url}/console/${name}`)).status).toBe(200);
  });
});
