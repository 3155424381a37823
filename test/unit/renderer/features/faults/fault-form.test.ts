import { message } from "../../../../../server/contract/messages/message.ts";
import { describe, expect, it } from "vitest";
import { faultFormOf, readForm, routeKind } from "../../../../../renderer/features/faults/fault-kinds.ts";
import { simFaultInputSchema } from "../../../../../server/contract/provider/sim-faults.ts";

const form = (kind: string) => {
  const found = faultFormOf(kind);
  if (!found) throw new Error(`no form of ${kind}`);
  return found;
};
const fieldOf = (kind: string, name: string) =>
  form(kind)
    .parts.flatMap(({ fields }) => fields)
    .find((field) => field.name === name);

describe("The form of a fault", () => {
  it("is there for every kind, and asks for nothing that it cannot show", () => {
    for (const { shape } of simFaultInputSchema.options) {
      const fields = form(shape.kind.value).parts.flatMap((part) => part.fields);
      expect(fields.map(({ name }) => name)).toContain("probability");
      expect(fields.filter(({ kind }) => kind === "json").map(({ name }) => name)).toEqual([]);
    }
    expect(faultFormOf("no_such_kind")).toBeUndefined();
  });

  it("offers the choices of the schema, with what counts unless given and what is needed", () => {
    expect(fieldOf("http_status", "status")).toMatchObject({
      kind: "choice",
      choices: [429, 500, 502, 503],
      fallback: 500,
    });
    expect(fieldOf("no_answer", "calls")).toMatchObject({ kind: "choices", required: false });
    expect(fieldOf("notification_foreign", "field")).toMatchObject({ kind: "choice", required: true });
    expect(fieldOf("notification_duplicate", "copies")).toMatchObject({ kind: "integer", minimum: 2, maximum: 10 });
  });

  it("becomes the fault that it describes, without what was left empty", () => {
    const values = { params: { copies: 3, gap_ms: undefined }, scope: { out_trade_no: "" }, "": { times: 1 } };
    expect(readForm("notification_duplicate", form("notification_duplicate"), values)).toMatchObject({
      fault: { side: "sim", body: { kind: "notification_duplicate", params: { copies: 3 }, scope: {}, times: 1 } },
    });
    const route = { "": { path: "/api/articles", status: 503, headers: '{"X-A":"1"}' } };
    expect(readForm(routeKind, form(routeKind), route)).toMatchObject({
      fault: { side: "route", body: { path: "/api/articles", status: 503, headers: { "X-A": "1" } } },
    });
  });

  it("says at which field something is wrong", () => {
    const wrong = { params: {}, scope: { out_trade_no: "no!" }, "": { probability: 2 } };
    const read = readForm("wrong_amount", form("wrong_amount"), wrong);
    expect("errors" in read ? Object.keys(read.errors).sort() : []).toEqual([
      ".probability",
      "params.by",
      "scope.out_trade_no",
    ]);
    expect(readForm("wrong_amount", form("wrong_amount"), {})).toEqual({
      errors: { "params.by": message("condition.amountOff") },
    });
    expect(readForm("notification_foreign", form("notification_foreign"), {})).toMatchObject({
      errors: { "params.field": message("is.missing") },
    });
    expect(readForm(routeKind, form(routeKind), { "": { status: 503, headers: "no JSON" } })).toMatchObject({
      errors: { ".headers": message("is.otherType", { type: message("type.object"), found: message("type.text") }) },
    });
  });
});
