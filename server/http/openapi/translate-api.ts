import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { ApiTexts } from "../../contract/messages/zh/api/api-texts.ts";
import type { ApiInput, OperationText } from "./describe-api.ts";
import { operationText } from "./operation-text.ts";

/** The same API with the texts of another language. Operations and tags without a text there keep their English one. */
export const translateApi = (api: ApiInput, texts: ApiTexts): ApiInput => ({
  ...api,
  title: texts.title,
  introduction: texts.introduction,
  tags: { ...api.tags, ...texts.tags },
  textOf(spec) {
    const english = api.textOf(spec);
    return english && (translatedText(spec, texts) ?? english);
  },
});

function translatedText(spec: EndpointSpec, { operations, collections = {} }: ApiTexts): OperationText | undefined {
  const { id, member = id, about } = spec;
  const [plural = "", operation] = member.split(".");
  const text = operations[operation === undefined ? member : `*.${operation}`];
  return text === undefined
    ? undefined
    : operationText(text.replaceAll("{plural}", plural), collections[plural], about);
}
