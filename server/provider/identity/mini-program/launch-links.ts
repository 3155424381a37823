/**
 * The texts of codes and links that open the mini-program. They hold the start parameters themselves, so that they need no
 * store and outlive it; the platform's are short ids.
 */
import { z } from "zod";
import { envVersion, type SimLaunch } from "../../../contract/provider/sim-mini-program.ts";
import { parseJson } from "../../../contract/parse-json.ts";

/** How each way in begins, and the platform's number of it. */
const ways = {
  code: { start: "https://mp.weixin.qq.com/a/~", scene: 1047 },
  qrcode: { start: "https://mp.weixin.qq.com/q/~", scene: 1011 },
  scheme: { start: "weixin://dl/business/?t=", scene: 1065 },
  url_link: { start: "https://wxaurl.cn/", scene: 1194 },
  short_link: { start: "#小程序://Hearth/", scene: 1179 },
} as const;
type WayIn = keyof typeof ways;

const ticketSchema = z.strictObject({
  path: z.string(),
  query: z.string(),
  env_version: envVersion,
  /** Unix ms. */
  expires_at: z.number().optional(),
});
export type Ticket = z.infer<typeof ticketSchema>;

/** A page's path, and the query behind it. */
export function splitPath(text: string): { path: string; query: string } {
  const [path = "", ...query] = text.split("?");
  return { path, query: query.join("?") };
}

/** A page may be written with a slash in front. */
export function writeLaunchLink(way: WayIn, ticket: Ticket): string {
  const text = JSON.stringify({ ...ticket, path: ticket.path.replace(/^\//, "") });
  return ways[way].start + Buffer.from(text).toString("base64url");
}

/** Undefined for a text that is no link of ours. */
export function readLaunchLink(link: string): (SimLaunch & Pick<Ticket, "expires_at">) | undefined {
  const way = Object.values(ways).find(({ start }) => link.startsWith(start));
  if (!way) return undefined;
  const text = Buffer.from(link.slice(way.start.length), "base64url").toString("utf8");
  const ticket = ticketSchema.safeParse(parseJson(text));
  if (!ticket.success) return undefined;
  const { path, query, env_version, expires_at } = ticket.data;
  return { path, query: Object.fromEntries(new URLSearchParams(query)), scene: way.scene, env_version, expires_at };
}
