/** `msgSecCheck` and `mediaCheckAsync`: rules that a test sets judge texts and media. */
import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { simContentRules } from "../../../contract/provider/sim-mini-program.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";
import { jsonBody, type PlatformCall } from "../call-input.ts";
import { ProviderError } from "../provider-error.ts";
import type { SimUsers } from "../sim-users.ts";
import type { MiniProgramEventsPort } from "./events-port.ts";
import type { MiniProgramTables } from "./mini-program-tables.ts";

type Rules = z.output<typeof simContentRules>;

/** The platform refuses checks for people who have not used the app for this long. */
const visitMs = 2 * 3_600_000;
/** The newest media checks are kept. */
const mostChecks = 1_000;

const checked = {
  version: z.literal([1, 2]).optional(),
  openid: z.string().default(""),
  scene: z.int().default(0),
};
export const textBody = z.looseObject({
  ...checked,
  content: z.string().default(""),
  title: z.string().default(""),
  nickname: z.string().default(""),
  signature: z.string().default(""),
});
export const mediaBody = z.looseObject({
  ...checked,
  media_url: z.string().default(""),
  media_type: z.int().default(0),
});

interface Deps {
  readonly db: Kysely<MiniProgramTables>;
  readonly users: Pick<SimUsers, "findByOpenId">;
  readonly events: Pick<MiniProgramEventsPort, "mediaChecked">;
  /** Unix time in ms. */
  readonly now: () => number;
}

export class ContentChecks {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async rules(): Promise<Rules> {
    const rows = await this.#deps.db.selectFrom("sim_content_rules").selectAll().orderBy("id").execute();
    return rows.map(({ contains, suggest, label }) => ({ contains, suggest, label })) as Rules;
  }

  async replaceRules(rules: Rules): Promise<Rules> {
    await this.#deps.db.transaction().execute(async (trx) => {
      await trx.deleteFrom("sim_content_rules").execute();
      for (const rule of rules) await trx.insertInto("sim_content_rules").values(rule).execute();
    });
    return rules;
  }

  async mediaChecks() {
    const rows = await this.#deps.db.selectFrom("sim_media_checks").selectAll().orderBy("id", "desc").execute();
    return rows.map(({ id: _, ...check }) => check);
  }

  readonly checkText: PlatformCall = async (req, res) => {
    const body = await jsonBody(req, textBody);
    if (body.content === "" || body.content.length > 2_500) throw new ProviderError(40097);
    const rule = await this.#judge([body.content, body.title, body.nickname, body.signature]);
    if (body.version !== 2) {
      if (rule?.suggest === "risky") throw new ProviderError(87014);
      return sendJson(res, 200, { errcode: 0, errmsg: "ok" });
    }
    await this.#checkVisitor(body);
    const result = { suggest: rule?.suggest ?? "pass", label: rule?.label ?? 100 };
    const hit = rule && { keyword: rule.contains, prob: 90 };
    const detail = [{ strategy: rule ? "keyword" : "content_model", errcode: 0, ...result, ...hit }];
    sendJson(res, 200, { errcode: 0, errmsg: "ok", detail, trace_id: newTraceId(), result });
  };

  readonly checkMedia: PlatformCall = async (req, res) => {
    const body = await jsonBody(req, mediaBody);
    if (!/^https?:\/\//.test(body.media_url) || ![1, 2].includes(body.media_type)) throw new ProviderError(40097);
    await this.#checkVisitor(body);
    const rule = await this.#judge([body.media_url]);
    const trace_id = newTraceId();
    const { openid, media_url, version = 1 } = body;
    const { suggest, label } = rule ?? { suggest: "pass", label: 100 };
    const { id } = await this.#deps.db
      .insertInto("sim_media_checks")
      .values({ trace_id, openid, media_url, suggest, label })
      .returning("id")
      .executeTakeFirstOrThrow();
    await this.#deps.db
      .deleteFrom("sim_media_checks")
      .where("id", "<=", id - mostChecks)
      .execute();
    sendJson(res, 200, { errcode: 0, errmsg: "ok", trace_id });
    await this.#deps.events.mediaChecked({ openid, traceId: trace_id, suggest, label, version });
  };

  /** @throws ProviderError for an unknown person, a scene that does not exist, or a visit too long ago */
  async #checkVisitor({ openid, scene }: { openid: string; scene: number }): Promise<void> {
    const user = await this.#deps.users.findByOpenId(openid);
    if (!user) throw new ProviderError(40003);
    if (scene < 1 || scene > 4) throw new ProviderError(40129);
    if (this.#deps.now() - user.session_key_at > visitMs) throw new ProviderError(61010);
  }

  async #judge(texts: readonly string[]): Promise<Rules[number] | undefined> {
    return (await this.rules()).find(({ contains }) => texts.some((text) => text.includes(contains)));
  }
}

const newTraceId = () => randomBytes(12).toString("hex");
