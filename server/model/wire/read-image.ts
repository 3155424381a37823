/** Images and sounds in the parts of a content, as OpenAI's clients send them. */
import { OllamaError } from "../ollama-error.ts";
import { asObject, asText } from "./json-value.ts";

const dataUri = /^data:(?:image\/(?:jpeg|jpg|png|webp))?;base64,/;
const base64 = /^[\w+/]*={0,2}$/;

/** The base64 of an image or sound. @throws OllamaError 400 */
export function readBase64(value: unknown): string {
  if (typeof value !== "string" || !base64.test(value)) throw new OllamaError(400, "invalid message format");
  return value;
}

/** The base64 of an image in a data URI, alone or as `{url}`. @throws OllamaError 400 */
export function readImageUrl(image: unknown): string {
  const url = asText(image) ?? asText(asObject(image)["url"]);
  if (url === undefined) throw new OllamaError(400, "invalid message format");
  if (/^https?:/i.test(url))
    throw new OllamaError(400, "image URLs are not currently supported, please use base64 encoded data instead");
  if (!dataUri.test(url)) throw new OllamaError(400, "invalid image input");
  return readBase64(url.replace(dataUri, ""));
}
