/** Long texts are read in parts: the first one at the address of the resource, the others at `/from/` and a character. */
import { fillPath } from "../../contract/request-address.ts";
import { maskSecrets } from "../mask-secrets.ts";
import type { McpResource, UriVariables } from "../mcp-content.ts";

/** The characters of one part: about 4,000 tokens. */
const maxLength = 16_000;

/** The part of a text from a character on, which ends with the address of the next part. */
export function textPart(text: string, uri: string, { character = "0" }: UriVariables = {}): { readonly text: string } {
  const from = Number(character);
  const to = from + maxLength;
  if (text.length <= to) return { text: text.slice(from) };
  return {
    text: `${text.slice(from, to)}\n\n(${String(text.length - to)} more characters: read ${uri}/from/${String(to)})`,
  };
}

export interface TextResource extends Omit<McpResource, "read"> {
  readonly readText: (variables: UriVariables) => Promise<string>;
}

/** The template of the other parts of a resource. */
export const furtherParts = <Part extends Omit<McpResource, "read">>(resource: Part): Part => ({
  ...resource,
  name: `${resource.name}_rest`,
  uri: `${resource.uri}/from/{character}`,
  title: `${resource.title}, the rest`,
  description: "The rest of a long text from a character on. The part before it ends with this address.",
});

/** A resource whose text has no secrets, and the template of its other parts. */
export function textResources({ readText, ...about }: TextResource): McpResource[] {
  const read = async (variables: UriVariables) =>
    textPart(maskSecrets(await readText(variables)), fillPath(about.uri, variables), variables);
  return [about, furtherParts(about)].map((each) => ({ ...each, read }));
}
