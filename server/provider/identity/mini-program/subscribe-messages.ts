/** Subscription messages: what a person accepts, and what the app's server sends. */
import { sql, type Kysely } from "kysely";
import { z } from "zod";
import type { IdentityTables, SimUser } from "../identity-tables.ts";
import { ProviderError } from "../provider-error.ts";
import type { SimUsers } from "../sim-users.ts";
import type { MiniProgramEventsPort } from "./events-port.ts";
import type { MiniProgramTables, SimMessage } from "./mini-program-tables.ts";
import { fillTemplate, fitsPlace, templatePlaces } from "./template-values.ts";

export const messageBody = z.looseObject({
  touser: z.string().default(""),
  template_id: z.string().default(""),
  page: z.string().max(1_024).default(""),
  /** The version that the message opens, and its language: of no effect on what a person is shown here. */
  miniprogram_state: z.string().optional(),
  lang: z.string().optional(),
  data: z.record(z.string(), z.looseObject({ value: z.union([z.string(), z.number()]).optional() })).default({}),
});

/** The newest messages of each person are kept. */
const mostMessages = 1_000;

interface Deps {
  readonly db: Kysely<IdentityTables & MiniProgramTables>;
  readonly users: Pick<SimUsers, "findByOpenId">;
  readonly events: Pick<MiniProgramEventsPort, "answered" | "unsubscribed" | "sent">;
  /** Unix time in ms. */
  readonly now: () => number;
}

export class SubscribeMessages {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  templates() {
    return this.#deps.db.selectFrom("sim_templates").selectAll().orderBy("template_id").execute();
  }

  async putTemplate(template: { template_id: string; title: string; content: string }) {
    const { title, content } = template;
    await this.#deps.db
      .insertInto("sim_templates")
      .values(template)
      .onConflict((conflict) => conflict.column("template_id").doUpdateSet({ title, content }))
      .execute();
    return template;
  }

  /** The platform's answer for each template. A template that does not exist is answered as the platform does: not at all. */
  async subscribe({ id, openid }: SimUser, ids: readonly string[], accept: boolean): Promise<Record<string, string>> {
    const known = await this.#deps.db
      .selectFrom("sim_templates")
      .select("template_id")
      .where("template_id", "in", ids)
      .execute();
    for (const { template_id } of accept ? known : [])
      await this.#deps.db
        .insertInto("sim_subscriptions")
        .values({ user_id: id, template_id, sends: 1 })
        .onConflict((conflict) =>
          conflict.columns(["user_id", "template_id"]).doUpdateSet({ sends: sql`sim_subscriptions.sends + 1` }),
        )
        .execute();
    if (known.length === 0)
      return { errMsg: "requestSubscribeMessage:fail No template data return, verify the template id exist" };
    const answers = Object.fromEntries(known.map(({ template_id }) => [template_id, accept ? "accept" : "reject"]));
    await this.#deps.events.answered(openid, answers);
    return { ...answers, errMsg: "requestSubscribeMessage:ok" };
  }

  /** Messages of the template are no longer accepted, as on the platform's settings page. */
  async unsubscribe({ id, openid }: SimUser, templateId: string): Promise<void> {
    await this.#deps.db
      .deleteFrom("sim_subscriptions")
      .where("user_id", "=", id)
      .where("template_id", "=", templateId)
      .execute();
    await this.#deps.events.unsubscribed(openid, templateId);
  }

  /** Sends a message, which uses up one acceptance. @throws ProviderError */
  async send({ touser, template_id, page, data }: z.output<typeof messageBody>): Promise<void> {
    const user = await this.#deps.users.findByOpenId(touser);
    if (!user) throw new ProviderError(40003);
    const template = await this.#deps.db
      .selectFrom("sim_templates")
      .selectAll()
      .where("template_id", "=", template_id)
      .executeTakeFirst();
    if (!template) throw new ProviderError(40037);
    if (page.startsWith("/")) throw new ProviderError(41030);
    const values = valuesFor(template.content, data);
    const messageId = await this.#deps.db.transaction().execute(async (trx) => {
      const used = await trx
        .updateTable("sim_subscriptions")
        .set((row) => ({ sends: row("sends", "-", 1) }))
        .where("user_id", "=", user.id)
        .where("template_id", "=", template_id)
        .where("sends", ">", 0)
        .returning("sends")
        .executeTakeFirst();
      if (!used) throw new ProviderError(43101);
      const { title, content } = template;
      const text = fillTemplate(content, values);
      const { id } = await trx
        .insertInto("sim_messages")
        .values({
          ...{ user_id: user.id, template_id, title, text, page },
          data: JSON.stringify(values),
          sent_at: this.#deps.now(),
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await trx
        .deleteFrom("sim_messages")
        .where("user_id", "=", user.id)
        .where("id", "<=", id - mostMessages)
        .execute();
      return id;
    });
    await this.#deps.events.sent(touser, template_id, messageId);
  }

  /** The newest first. */
  async sentTo(openid: string): Promise<SimMessage[]> {
    const user = await this.#deps.users.findByOpenId(openid);
    if (!user) return [];
    const { db } = this.#deps;
    return db.selectFrom("sim_messages").selectAll().where("user_id", "=", user.id).orderBy("id", "desc").execute();
  }
}

/** The values of the template's places. @throws ProviderError 47003 for a missing or unfit one */
function valuesFor(content: string, data: z.output<typeof messageBody>["data"]): Record<string, string> {
  const values = templatePlaces(content).map((name) => {
    const value = String(data[name]?.value ?? "");
    if (value === "") throw new ProviderError(47003, ` data.${name}.value is empty`);
    if (!fitsPlace(name, value)) throw new ProviderError(47003, ` data.${name}.value invalid`);
    return [name, value] as const;
  });
  return Object.fromEntries(values);
}
