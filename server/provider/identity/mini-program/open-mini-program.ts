/** Opens the platform's offers to an app's server beyond login and payments: codes, links, messages, content checks. */
import type { Kysely } from "kysely";
import { z } from "zod";
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
  simUnsubscribe,
} from "../../../contract/provider/sim-mini-program.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";
import { HttpError, notFound } from "../../../http/http-error.ts";
import type { Middleware } from "../../../http/middleware.ts";
import { route, type Route } from "../../../http/route.ts";
import { byPost, checkCredential, jsonBody, serveCalls, type PlatformCall } from "../call-input.ts";
import type { Credentials } from "../credentials.ts";
import type { IdentityFaultsPort } from "../identity-api.ts";
import type { IdentityTables } from "../identity-tables.ts";
import { userNamed, userViewOf } from "../sim-request.ts";
import type { SimUsers } from "../sim-users.ts";
import { codeCalls } from "./code-calls.ts";
import { ContentChecks } from "./content-checks.ts";
import type { MiniProgramEventsPort } from "./events-port.ts";
import { readLaunchLink } from "./launch-links.ts";
import { linkCalls } from "./link-calls.ts";
import type { MiniProgramTables } from "./mini-program-tables.ts";
import { messageBody, SubscribeMessages } from "./subscribe-messages.ts";

interface Deps {
  readonly db: Kysely<IdentityTables & MiniProgramTables>;
  readonly users: SimUsers;
  readonly credentials: Credentials;
  readonly faults: IdentityFaultsPort;
  readonly events: MiniProgramEventsPort;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** A call by POST with an access token. It returns the members of its reply beyond errcode and errmsg. */
interface ServerCall {
  readonly path: string;
  readonly name: IdentityCall;
  readonly perform: (body: unknown) => Promise<object>;
}

export function openMiniProgram(deps: Deps) {
  const { credentials, faults, now } = deps;
  const messages = new SubscribeMessages(deps);
  const checks = new ContentChecks(deps);
  const sendMessage: PlatformCall = async (req, res) => {
    await messages.send(await jsonBody(req, messageBody));
    sendJson(res, 200, { errcode: 0, errmsg: "ok" });
  };
  const links = linkCalls(now);
  /** A call by POST with an access token, which a fault may keep from its answer. */
  const platformCall = (name: IdentityCall, call: PlatformCall): PlatformCall =>
    byPost((req, res) =>
      faults(name, res, async () => {
        await checkCredential(req, credentials);
        await call(req, res);
      }),
    );

  return {
    routes: controlRoutes(deps, messages, checks),
    /** Serves calls of other features. */
    serve: (calls: readonly ServerCall[]): Middleware =>
      serveCalls(
        calls.map(({ path, name, perform }) => [
          path,
          platformCall(name, async (req, res) => {
            const reply = await perform(await jsonBody(req, z.looseObject({})));
            sendJson(res, 200, { errcode: 0, errmsg: "ok", ...reply });
          }),
        ]),
      ),
    calls: serveCalls([
      ["/wxa/getwxacode", platformCall("getwxacode", codeCalls.getwxacode)],
      ["/wxa/getwxacodeunlimit", platformCall("getwxacodeunlimit", codeCalls.getwxacodeunlimit)],
      ["/cgi-bin/wxaapp/createwxaqrcode", platformCall("createwxaqrcode", codeCalls.createwxaqrcode)],
      ["/wxa/generatescheme", platformCall("generatescheme", links.generatescheme)],
      ["/wxa/generate_urllink", platformCall("generate_urllink", links.generate_urllink)],
      ["/wxa/genwxashortlink", platformCall("genwxashortlink", links.genwxashortlink)],
      ["/cgi-bin/message/subscribe/send", platformCall("subscribe_send", sendMessage)],
      ["/wxa/msg_sec_check", platformCall("msg_sec_check", checks.checkText)],
      ["/wxa/media_check_async", platformCall("media_check_async", checks.checkMedia)],
    ]),
  };
}

const controlRoutes = ({ users, now }: Deps, messages: SubscribeMessages, checks: ContentChecks): Route[] => [
  route(simLaunch, async ({ params: { name }, body: { link } }) => {
    await users.touch(await userNamed(name, users));
    const launch = readLaunchLink(link);
    if (!launch) throw notFound("This code or link does not belong to this mini-program.");
    const { expires_at, ...data } = launch;
    if (expires_at !== undefined && expires_at <= now())
      throw new HttpError(410, "link_expired", "This link has expired.");
    return { data };
  }),

  route(listSimTemplates, async () => ({ data: await messages.templates() })),
  route(putSimTemplate, async ({ params, body }) => ({ data: await messages.putTemplate({ ...params, ...body }) })),
  route(simSubscribe, async ({ params: { name }, query: { deny }, body: { tmplIds } }) => {
    const user = await users.touch(await userNamed(name, users));
    return { data: await messages.subscribe(user, tmplIds, deny === undefined) };
  }),
  route(simUnsubscribe, async ({ params: { name, template_id } }) =>
    messages.unsubscribe(await userNamed(name, users), template_id),
  ),
  route(listSimMessages, async ({ params: { name } }) => {
    const sent = await messages.sentTo((await userViewOf(name, users)).openid);
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
