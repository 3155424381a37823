/** The OpenAPI 3.1 description of endpoints, made from the schemas that also validate. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import { headerComponents } from "./headers.ts";
import { repliesOf, type ReplyRules } from "./replies.ts";
import { parametersOf, requestBodyOf } from "./request.ts";
import { createSchemaBook, type OpenApiObject, type SchemaBook } from "./schema-book.ts";
import { sharedReplies } from "./shared-replies.ts";

/** The texts of an operation. */
export interface OperationText {
  readonly summary: string;
  readonly description: string;
}

export interface ApiInput extends ReplyRules {
  readonly specs: readonly EndpointSpec[];
  readonly title: string;
  /** The version of the description, and of the program. */
  readonly version: string;
  /** A text about all operations, as Markdown. */
  readonly introduction: string;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  /** The descriptions of tags; tags without operations are omitted. */
  readonly tags: Readonly<Record<string, string>>;
  /** Setting basic_auth. */
  readonly basicAuth: boolean;
  /** Setting enum_as_text. */
  readonly enumAsText: boolean;
  readonly textOf: (spec: EndpointSpec) => OperationText | undefined;
}

const securitySchemes: Readonly<Record<string, OpenApiObject>> = {
  sessionToken: {
    type: "http",
    scheme: "bearer",
    description:
      "Session token: `status.access_token` in the answer to `POST /api/sessions`. To try operations, get a simulated user's token with `hearth login`.",
  },
  sessionTokenHeader: {
    type: "apiKey",
    in: "header",
    name: "X-Access-Token",
    description: "The same token, for clients that cannot set Authorization.",
  },
  basic: {
    type: "http",
    scheme: "basic",
    description: "User and password of an account. Discouraged: they travel in clear text.",
  },
  consoleToken: {
    type: "http",
    scheme: "bearer",
    description:
      "Console token of the run. The file of `--ready-file` contains it, or `HEARTH_CONSOLE_TOKEN` sets it. A browser that is logged in to the console needs no token.",
  },
};

/** How long operations are described at a time, in ms: others wait. */
const sliceMs = 20;

/** The complete description. Other requests are answered while it is made. */
export async function describeApi(api: ApiInput): Promise<OpenApiObject> {
  const book = createSchemaBook();
  const paths: Record<string, OpenApiObject> = {};
  let sliceEnd = performance.now() + sliceMs;
  for (const spec of api.specs) {
    (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operation(spec, api, book);
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + sliceMs;
  }

  const used = usedIn(paths);
  const responses = sharedReplies((name) => used(`"#/components/responses/${name}"`), book);
  const usedByReplies = usedIn([paths, responses]);
  return {
    openapi: "3.1.0",
    info: {
      title: api.title,
      version: api.version,
      description: api.introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: api.servers,
    tags: tagsOf(api),
    paths,
    components: {
      schemas: book.components,
      responses,
      headers: headerComponents((name) => usedByReplies(`"#/components/headers/${name}"`)),
      securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used(`{"${name}":[]}`))),
    },
  };
}

function usedIn(part: unknown): (text: string) => boolean {
  const text = JSON.stringify(part);
  return (searched) => text.includes(searched);
}

function tagsOf({ specs, tags }: ApiInput): OpenApiObject[] {
  const abouts = new Map(specs.map(({ tag, about }) => [tag, about]));
  return [...abouts].map(([name, about]) => ({ name, description: tags[name] ?? about ?? `The collection ${name}.` }));
}

function operation(spec: EndpointSpec, api: ApiInput, book: SchemaBook): OpenApiObject {
  const body = requestBodyOf(spec, book, api.enumAsText);
  const parameters = parametersOf(spec, book, api.enumAsText);
  return {
    operationId: spec.id,
    tags: [spec.tag],
    ...api.textOf(spec),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: repliesOf(spec, book, api),
    security: securityOf(spec, api.basicAuth),
  };
}

/** Each entry is one way to authenticate; an empty one means that no credentials are needed. */
function securityOf({ access, basicAuth }: EndpointSpec, basicIsOn: boolean): OpenApiObject[] {
  if (basicAuth === "required") return [{ basic: [] }];
  if (basicAuth === "accepted" && basicIsOn) return [{}, { basic: [] }];
  if (access === "console") return [{ consoleToken: [] }];
  if (access === "control") return [{}, { consoleToken: [] }];
  return access === "token" || access === "login" ? [{ sessionToken: [] }, { sessionTokenHeader: [] }] : [];
}
