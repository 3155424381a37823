import { message } from "../../../../server/contract/messages/message.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toChinese, wireTexts } from "../../../../renderer/i18n/zh/wire-texts.ts";
import { notificationReasons } from "../../../../server/contract/app/notification-reasons.ts";
import { faultInputSchema } from "../../../../server/contract/console/control/control.ts";
import { checkRows } from "../../../../server/contract/provider/checks/receiver-check-rows.ts";
import { faultSituations, simFaultInputSchema } from "../../../../server/contract/provider/sim-faults.ts";
import { simSendingSchema } from "../../../../server/contract/provider/sim-notification-faults.ts";

/** Every description within a schema. */
function descriptions(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { description } = schema as { description?: unknown };
  return [...(typeof description === "string" ? [description] : []), ...Object.values(schema).flatMap(descriptions)];
}

/** What the forms for faults and sendings, the receiver's report, events and histories of orders show of the contract. */
function shownTexts(): Set<string> {
  const schemas = [...simFaultInputSchema.options, ...simSendingSchema.options, faultInputSchema];
  return new Set([
    ...schemas.flatMap((schema) => descriptions(z.toJSONSchema(schema, { io: "input" }))),
    ...Object.keys(faultSituations),
    ...Object.values(notificationReasons),
    ...Object.values(checkRows).flatMap(({ name, sent, right, why }) => [name, sent, right, why]),
  ]);
}

/** Words of the wire alone are the same in every language. */
const isWire = (text: string) => /^[a-z_]*[ ]?[A-Z]+$/.test(text);

describe("The contract's texts in the console's forms and reports", () => {
  it("are all translated to Chinese", () => {
    expect([...shownTexts()].filter((text) => !isWire(text) && !(text in wireTexts))).toEqual([]);
  });

  it("are, where they say why a value is refused, those of the server", () => {
    const problem = message("is.pathAndQuery");
    expect(toChinese(message("problem.is", { subject: "path", problem }))).toMatch(/^path 必须/);
    expect(toChinese(message("is.missing"))).toMatch(/缺/);
    expect(toChinese("A text of nobody's")).toBe("A text of nobody's");
  });

  it("have no translation without an English text", () => {
    const shown = shownTexts();
    expect(Object.keys(wireTexts).filter((text) => !shown.has(text))).toEqual([]);
  });
});
