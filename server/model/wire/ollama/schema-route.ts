/** POST /api/schema: our own. It tells beforehand what of a schema is enforced. */
import { isObject } from "../../../contract/is-object.ts";
import { schemaRequestSchema, type SchemaReply } from "../../../contract/model/model-schema.ts";
import { withoutNulls } from "../../../json-schema/json-schema.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";
import { formatGrammar } from "../../grammar/schema-grammar.ts";
import { ignoredKeywords } from "../../grammar/ignored-keywords.ts";
import { UnenforceableError } from "../../grammar/unenforceable.ts";
import { OllamaError } from "../../ollama-error.ts";
import type { Handler } from "../mount-routes.ts";
import { readRequest } from "../read-request.ts";

export function schemaRoute(isOpen: boolean): Handler {
  return async (req, res) => {
    const { schema } = await readRequest(req, { name: "SchemaRequest", schema: schemaRequestSchema });
    if (!isObject(schema)) throw new OllamaError(400, "schema is required: a JSON Schema");
    sendJson(res, 200, replyFor(schema, isOpen));
  };
}

function replyFor(schema: Readonly<Record<string, unknown>>, isOpen: boolean): SchemaReply {
  const ignored = ignoredKeywords(withoutNulls(schema));
  try {
    formatGrammar(schema, { isOpen });
    return { enforceable: true, ignored };
  } catch (error) {
    if (!(error instanceof UnenforceableError)) throw error;
    return { enforceable: false, error: error.message, keyword: error.keyword, path: error.path, ignored };
  }
}
