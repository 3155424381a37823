/** Links that open the mini-program from outside: `generateScheme`, `generateUrlLink`, `generateShortLink`. */
import { z } from "zod";
import { envVersion } from "../../../contract/provider/sim-mini-program.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";
import { jsonBody, type PlatformCall } from "../call-input.ts";
import { ProviderError } from "../provider-error.ts";
import { splitPath, writeLaunchLink, type Ticket } from "./launch-links.ts";

const dayMs = 86_400_000;
/** The longest life of a scheme and of a URL link. */
const longestDays = 30;

const page = {
  path: z.string().max(1_024).default(""),
  query: z.string().max(1_024).default(""),
  env_version: envVersion.default("release"),
};
const expiry = {
  /** Without effect, as on the platform: each link expires. */
  is_expire: z.boolean().optional(),
  expire_type: z.literal([0, 1]).default(0),
  /** Unix seconds. */
  expire_time: z.int().optional(),
  /** Days. */
  expire_interval: z.int().optional(),
};
export const schemeBody = z.looseObject({ jump_wxa: z.looseObject(page).prefault({}), ...expiry });
export const urlLinkBody = z.looseObject({ ...page, ...expiry });
export const shortLinkBody = z.looseObject({
  page_url: z.string().max(1_024).default(""),
  page_title: z.string().max(20).optional(),
  is_permanent: z.boolean().default(false),
});
type Page = z.output<typeof schemeBody>["jump_wxa"];
type Expiry = Pick<z.output<typeof urlLinkBody>, keyof typeof expiry>;

/** @param now Unix time in ms */
export function linkCalls(now: () => number) {
  /** Unix ms. A link without an expiry of its own lives as long as one may. */
  function expiresAt({ expire_type, expire_time, expire_interval }: Expiry): number {
    if (expire_type === 1 && expire_interval !== undefined) {
      if (expire_interval < 1 || expire_interval > longestDays) throw new ProviderError(85401);
      return now() + expire_interval * dayMs;
    }
    if (expire_time === undefined) return now() + longestDays * dayMs;
    const left = expire_time * 1_000 - now();
    if (left < 60_000 || left > longestDays * dayMs) throw new ProviderError(85401);
    return expire_time * 1_000;
  }

  function ticketOf({ path, query, env_version }: Page, expires_at: number): Ticket {
    if (path.includes("?")) throw new ProviderError(40165);
    if (!/^[\w!#$&'()*+,/:;=?@.~%-]*$/.test(query)) throw new ProviderError(40212);
    return { path, query, env_version, expires_at };
  }
  const ok = { errcode: 0, errmsg: "ok" } as const;

  return {
    generatescheme: async (req, res) => {
      const body = await jsonBody(req, schemeBody);
      sendJson(res, 200, { ...ok, openlink: writeLaunchLink("scheme", ticketOf(body.jump_wxa, expiresAt(body))) });
    },

    generate_urllink: async (req, res) => {
      const body = await jsonBody(req, urlLinkBody);
      sendJson(res, 200, { ...ok, url_link: writeLaunchLink("url_link", ticketOf(body, expiresAt(body))) });
    },

    genwxashortlink: async (req, res) => {
      const { page_url, is_permanent } = await jsonBody(req, shortLinkBody);
      const target = splitPath(page_url);
      if (target.path === "") throw new ProviderError(40165);
      const { expires_at, ...ticket } = ticketOf({ ...target, env_version: "release" }, now() + longestDays * dayMs);
      sendJson(res, 200, {
        ...ok,
        link: writeLaunchLink("short_link", is_permanent ? ticket : { ...ticket, expires_at }),
      });
    },
  } satisfies Readonly<Record<string, PlatformCall>>;
}
