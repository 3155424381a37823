/** The schemas of schemas (draft 2020-12), by their addresses. */
import applicator from "ajv/dist/refs/json-schema-2020-12/meta/applicator.json" with { type: "json" };
import content from "ajv/dist/refs/json-schema-2020-12/meta/content.json" with { type: "json" };
import core from "ajv/dist/refs/json-schema-2020-12/meta/core.json" with { type: "json" };
import format from "ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json" with { type: "json" };
import metaData from "ajv/dist/refs/json-schema-2020-12/meta/meta-data.json" with { type: "json" };
import unevaluated from "ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json" with { type: "json" };
import validation from "ajv/dist/refs/json-schema-2020-12/meta/validation.json" with { type: "json" };
import whole from "ajv/dist/refs/json-schema-2020-12/schema.json" with { type: "json" };
import type { SchemaObject } from "../../../json-schema/json-schema.ts";

const documents = [whole, core, applicator, unevaluated, validation, metaData, format, content];

/** The schema of schemas. */
export const metaSchema: SchemaObject = whole;
export const metaSchemas: ReadonlyMap<string, SchemaObject> = new Map(documents.map((one) => [one.$id, one]));
export const standardKeywords: ReadonlySet<string> = new Set(
  documents.flatMap(({ properties }) => Object.keys(properties)),
);
