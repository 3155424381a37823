/** What the platform offers to an app's server beyond login and payments: codes, links, messages, content checks. */
import type { IncomingMessage } from "node:http";
import type { Kysely } from "kysely";
import type { IdentityCall } from "../../../contract/provider/sim-identity-faults.ts";
import {
  listSimContentRules,
  listSimMediaChecks,
  listSimMessages,
  listSimTemplates,
  putSimContentRules,
  putSimTemplate,
  simLaunch,
  simSubscribe,
} from "../../../contract/provider/sim-mini-program.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";
import { HttpError, notFound } from "../../../http/http-error.ts";
import { pathOf, type Middleware } from "../../../http/middleware.ts";
import { createPathTable, withoutSlash } from "../../../http/path-table.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import { route, type Route } from "../../../http/route.ts";
import { byPost, jsonBody, callQuery, type PlatformCall } from "../call-input.ts";
import type { IdentityFaultsPort } from "../identity-api.ts";
import type { Credentials } from "../credentials.ts";
import type { IdentityTables } from "../identity-tables.ts";
import { ProviderError } from "../provider-error.ts";
import { userNamed } from "../sim-request.ts";
import type { SimUsers } from "../sim-users.ts";
import { codeCalls } from "./code-calls.ts";
import { ContentChecks } from "./content-checks.ts";
import { readLaunchLink } from "./launch-links.ts";
import { linkCalls } from "./link-calls.ts";
import type { MiniProgramTables } from "./mini-program-tables.ts";
import { messageBody, SubscribeMessages } from "./subscribe-messages.ts";

interface Deps {
  readonly db: Kysely<IdentityTables & MiniProgramTables>;
  readonly users: SimUsers;
  readonly credentials: Credentials;
  /** Unix time in ms. */
  readonly now: () => number;
}

export function openMiniProgram(deps: Deps) {
  const { credentials, now } = deps;
  async function checkToken(req: IncomingMessage): Promise<void> {
    const errcode = await credentials.refusal(callQuery(req)("access_token"));
    if (errcode !== undefined) throw new ProviderError(errcode);
  }
  const messages = new SubscribeMessages(deps);
  const checks = new ContentChecks({ ...deps, checkToken });
  const sendMessage: PlatformCall = async (req, res) => {
    await checkToken(req);
    await messages.send(await jsonBody(req, messageBody));
    sendJson(res, 200, { errcode: 0, errmsg: "ok" });
  };
  const codes = codeCalls(checkToken);
  const links = linkCalls(checkToken, now);
  const calls: readonly (readonly [path: string, name: IdentityCall, call: PlatformCall])[] = [
    ["/wxa/getwxacode", "getwxacode", codes.getwxacode],
    ["/wxa/getwxacodeunlimit", "getwxacodeunlimit", codes.getwxacodeunlimit],
    ["/cgi-bin/wxaapp/createwxaqrcode", "createwxaqrcode", codes.createwxaqrcode],
    ["/wxa/generatescheme", "generatescheme", links.generatescheme],
    ["/wxa/generate_urllink", "generate_urllink", links.generate_urllink],
    ["/wxa/genwxashortlink", "genwxashortlink", links.genwxashortlink],
    ["/cgi-bin/message/subscribe/send", "subscribe_send", sendMessage],
    ["/wxa/msg_sec_check", "msg_sec_check", checks.checkText],
    ["/wxa/media_check_async", "media_check_async", checks.checkMedia],
  ];
  return {
    routes: controlRoutes(deps, messages, checks),
    calls(faults: IdentityFaultsPort): Middleware {
      const find = createPathTable<PlatformCall>(
        calls.map(([path, name, call]) => [path, byPost((req, res) => faults(name, res, () => call(req, res)))]),
        { ignoreCase: true },
      );
      return (req, res, next) => {
        const match = find(withoutSlash(pathOf(req)));
        if (!match) return next();
        notesOf(res).path = match.path;
        return match.value(req, res);
      };
    },
  };
}

const controlRoutes = ({ users, now }: Deps, messages: SubscribeMessages, checks: ContentChecks): Route[] => [
  route(simLaunch, async ({ params: { name }, body: { link } }) => {
    await users.touch(await userNamed(name, users));
    const launch = readLaunchLink(link);
    if (!launch) throw notFound("This is no code or link of this mini-program.");
    const { expires_at, ...data } = launch;
    if (expires_at !== undefined && expires_at <= now())
      throw new HttpError(410, "link_expired", "This link has expired.");
    return { data };
  }),

  route(listSimTemplates, async () => ({ data: await messages.templates() })),
  route(putSimTemplate, async ({ params, body }) => ({ data: await messages.putTemplate({ ...params, ...body }) })),
  route(simSubscribe, async ({ params: { name }, query: { deny }, body: { tmplIds } }) => {
    const user = await users.touch(await userNamed(name, users));
    return { data: await messages.subscribe(user.id, tmplIds, deny === undefined) };
  }),
  route(listSimMessages, async ({ params: { name } }) => {
    const sent = await messages.sentTo((await userNamed(name, users)).id);
    return {
      data: sent.map(({ user_id: _, data, sent_at, ...message }) => ({
        ...message,
        data: JSON.parse(data) as Record<string, string>,
        sent_at: new Date(sent_at).toISOString(),
      })),
    };
  }),

  route(listSimContentRules, async () => ({ data: await checks.rules() })),
  route(putSimContentRules, async ({ body: { rules } }) => ({ data: await checks.replaceRules(rules) })),
  route(listSimMediaChecks, async () => ({ data: await checks.mediaChecks() })),
];
