/** The provider simulator alone, on a free port, with a clock that stands unless the test moves it. */
import type { z } from "zod";
import { settingsSchema, type Settings } from "../../../server/contract/process/settings.ts";
import type { ServerLimits } from "../../../server/http/connection/server-limits.ts";
import type { simLoginSchema, simUserSchema } from "../../../server/contract/provider/provider.ts";
import { openProvider, type OpenProvider } from "../../../server/provider/open-provider.ts";
import type { SimDocs } from "../../../server/provider/sim-docs.ts";
import { consoleToken } from "../app/console-token.ts";
import { noApiDocs } from "../app/no-api-docs.ts";
import { dropTestDatabase, testDatabaseUrl } from "../store/test-database.ts";
import { quietLog } from "../quiet-log.ts";
import { standingClock } from "../standing-clock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

type Body = Record<string, unknown>;

/** @param apiDocs where the description of the control routes gets its texts */
export async function startTestProvider(
  changed: Partial<Settings> = {},
  apiDocs: SimDocs = noApiDocs,
  clock = standingClock(),
  limits: Partial<ServerLimits> = {},
) {
  const folder = temporaryFolder();
  const settings = {
    ...settingsSchema.parse({
      data_dir: folder.path,
      provider_port: 0,
      durability: "normal",
      database_url: await testDatabaseUrl(folder.path),
    }),
    ...changed,
  };
  const open = () => openProvider({ settings, consoleToken, apiDocs, log: quietLog, clock, limits });
  let provider = await open();
  let stopped: OpenProvider | undefined;
  async function stop(): Promise<void> {
    if (stopped === provider) return;
    stopped = provider;
    await provider.close();
  }

  async function call(path: string, query: Record<string, string> = {}, init: RequestInit = {}): Promise<Body> {
    const response = await fetch(`${provider.url}${path}?${String(new URLSearchParams(query))}`, init);
    return (await response.json()) as Body;
  }
  const postJson = (path: string, query: Record<string, string>, body: unknown) =>
    call(path, query, { method: "POST", body: JSON.stringify(body) });
  const control = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${provider.url}/sim${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
    return (await response.json()) as Body;
  };
  const { app_id: appid, app_secret: secret } = provider.credentials;
  const login = async (name: string) =>
    ((await control("POST", `/users/${name}/login`)) as z.infer<typeof simLoginSchema>).code;
  const exchange = (code: string, changed: Record<string, string> = {}) =>
    call("/sns/jscode2session", { appid, secret, js_code: code, grant_type: "authorization_code", ...changed });

  return {
    get url() {
      return provider.url;
    },
    get server() {
      return provider.server;
    },
    clock,
    /** Where its data lies. */
    folder: folder.path,
    /** As the application server's payments get to know it. */
    get payments() {
      return provider.payments;
    },
    app: { appid, secret },
    call,
    postJson,
    control,
    login,
    exchange,
    /** Logs in and exchanges the code. */
    session: async (name: string) =>
      (await exchange(await login(name))) as { openid: string; session_key: string; unionid?: string },
    user: async (name: string) => (await control("GET", `/users/${name}`)) as z.infer<typeof simUserSchema>,
    accessToken: async () =>
      String((await call("/cgi-bin/token", { appid, secret, grant_type: "client_credential" }))["access_token"]),
    /** Ends it until it is restarted. */
    stop,
    /** Opens the same storage again. */
    async restart() {
      await stop();
      provider = await open();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await dropTestDatabase(folder.path);
      folder[Symbol.dispose]();
    },
  };
}
export type TestProvider = Awaited<ReturnType<typeof startTestProvider>>;
