/** The keyword `x-hearth` of a field: to which collection its ids belong. */
import { message } from "../../../contract/messages/message.ts";
import { z } from "zod";
import { conditions } from "../../../contract/messages/en/conditions.ts";
import type { Relation } from "../../../contract/app/resources.ts";
import { visitSchemas, type SchemaObject } from "../../../json-schema/json-schema.ts";
import type { ProblemReporter } from "../problem-reporter.ts";
import { isPathSegment } from "../../../contract/app/plural-names.ts";

const fieldOptions = z.strictObject({
  /** The collection whose items the field refers to. */
  ref: z.string().refine(isPathSegment, conditions["is.ref"]),
});

/** The relations of a schema, in the order of its fields. @throws FileProblem */
export function readRelations(
  schema: SchemaObject,
  isText: (field: string) => boolean,
  reporter: ProblemReporter,
): Relation[] {
  const relations: Relation[] = [];
  visitSchemas(schema, ({ "x-hearth": options }, path) => {
    if (options === undefined || path.length === 0) return;
    const [parent, field = ""] = path;
    const at = [...path, "x-hearth"];
    if (path.length !== 2 || parent !== "properties") throw reporter.at(at, message("schema.top"));
    const parsed = fieldOptions.safeParse(options);
    if (!parsed.success) throw reporter.ofIssues(parsed.error.issues, Object.keys(fieldOptions.shape), at);
    relations.push({ field, to: parsed.data.ref, isText: isText(field) });
  });
  return relations;
}
