/** The console's operations on schema files, and the import of many items. */
import { issueOf } from "../../contract/messages/issue-of.ts";
import { describable, describeIssue } from "../../http/messages/describe-issue.ts";
import { message } from "../../contract/messages/message.ts";
import {
  addItems,
  checkSchema,
  getSchema,
  removeCollection,
  saveSchema,
} from "../../contract/console/data/schema-endpoints.ts";
import { withId } from "../../contract/app/item-ids.ts";
import { mapInTurns } from "../../foreign/map-in-turns.ts";
import { leftOf } from "../../http/connection/bodies/left-of.ts";
import { refuse } from "../../http/http-error.ts";
import { inLanguageOf } from "../../http/messages/in-language.ts";
import { route, type Route } from "../../http/route.ts";
import { unreadable } from "../../json-schema/predicates.ts";
import { DanglingError, type RecordRules } from "../../store/records/record-rules.ts";
import { isPrivate } from "../../store/records/record-tables.ts";
import { TransferConflict } from "../../store/records/written-records.ts";
import { createSchemaFiles, type SchemaFilesDeps } from "./schema-files.ts";
import type { UserDefinition } from "./user-collection.ts";

interface Deps extends SchemaFilesDeps {
  /** The rules that the items of a collection keep. */
  readonly rulesOf: (definition: UserDefinition) => RecordRules;
}

export function schemasConsoleRoutes(deps: Deps): Route[] {
  const { files, transfer } = deps;
  const schemas = createSchemaFiles(deps);

  /** @throws HttpError 400 naming the first item that does not fit */
  async function add(
    name: string,
    items: readonly Readonly<Record<string, unknown>>[],
    left: AbortSignal,
  ): Promise<number> {
    const definition = files.definitions().find((one) => one.name === name);
    if (!definition) throw refuse("collection.undefined", { name });
    const { idKind, privateField } = definition;
    const rowOf = (item: Readonly<Record<string, unknown>>, index: number) => {
      const parsed = definition.input.safeParse(idKind === undefined ? item : withId(idKind, item), describable);
      const data = parsed.data as Record<string, unknown>;
      const hidden = { ...issueOf(unreadable), path: [String(privateField)] };
      const issue = parsed.success ? isPrivate(privateField, data) && hidden : parsed.error.issues[0];
      if (!issue) return data;
      const field = ["items", index, ...issue.path].map(String).join(".");
      throw refuse("data.notAdded", { field, problem: describeIssue(issue) }, { field });
    };
    const rows = await mapInTurns(items, rowOf, left);
    const data = { mode: "merge", collections: 1, records: rows.length } as const;
    const isAdded = await files.inTurn(async () => {
      // A schema may have been saved while others were served.
      if (!files.definitions().includes(definition)) return false;
      await transfer
        .append(name, rows, deps.rulesOf(definition), { type: "data.imported", source: "/app/data", data })
        .catch((error: unknown) => {
          if (!(error instanceof TransferConflict)) throw error;
          const { position, broken } = error;
          const problem =
            broken instanceof DanglingError
              ? message("data.noReference", { target: broken.target })
              : message("data.duplicate");
          const field = `items.${String(position)}.${broken.field}`;
          throw refuse("data.notAdded", { field, problem }, { field });
        });
      return true;
    });
    return isAdded ? rows.length : add(name, items, left);
  }

  return [
    route(getSchema, async ({ params: { name } }) => ({ data: await schemas.text(name) })),
    route(checkSchema, async ({ params: { name }, body: { text } }, { req, res }) => {
      const inLanguage = inLanguageOf(req, res);
      const { problem, misfits, examples } = await schemas.check(name, text, leftOf(res));
      return {
        data: {
          ...(problem && { problem: { message: inLanguage(problem.text), ...problem.place } }),
          misfits,
          examples: examples.map((one) => ({ ...one, problem: inLanguage(one.problem) })),
        },
      };
    }),
    route(saveSchema, async ({ params: { name }, body: { text, ...options } }) => ({
      data: await schemas.save(name, text, options),
    })),
    route(removeCollection, async ({ params: { name } }) => ({ data: await schemas.remove(name) })),
    route(addItems, async ({ params: { name }, body: { items } }, { res }) => ({
      data: { added: await add(name, items, leftOf(res)) },
    })),
  ];
}
