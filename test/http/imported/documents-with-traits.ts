/** Small OpenAPI documents with the traits of public ones, and calls of all their operations. */
interface Call extends Pick<RequestInit, "body" | "headers"> {
  readonly status: number;
  /** Of the body, which has none otherwise. */
  readonly schema?: object;
  readonly type?: string;
}
interface Refusal extends Pick<RequestInit, "body" | "headers"> {
  /** 400 unless given. */
  readonly status?: number;
  readonly field?: string;
}
export interface DocumentTrait {
  readonly trait: string;
  readonly document: string;
  readonly calls: Readonly<Record<string, Call>>;
  readonly refusals: Readonly<Record<string, Refusal>>;
}

export const jsonBody = (value: unknown) => ({
  body: JSON.stringify(value),
  headers: { "Content-Type": "application/json" },
});
export const writtenDocument = (paths: object, more: object = {}) =>
  JSON.stringify({ openapi: "3.0.3", info: { title: "t", version: "1" }, paths, ...more });
export const answerOf = (schema: object, type = "application/json") => ({
  description: "",
  content: { [type]: { schema } },
});
export const componentRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const pet = {
  type: "object",
  required: ["id", "name"],
  properties: {
    id: { type: "integer", format: "int64", minimum: 1 },
    name: { type: "string", minLength: 2 },
    status: { type: "string", enum: ["available", "sold"] },
    seen: { type: "string", format: "date-time" },
  },
  additionalProperties: false,
};
const node = {
  type: "object",
  required: ["value"],
  properties: { value: { type: "integer" }, next: componentRef("node") },
};

export const traits: readonly DocumentTrait[] = [
  {
    trait: "pets and a base path",
    document: writtenDocument(
      {
        "/pets": {
          get: {
            parameters: [{ name: "limit", in: "query", required: true, schema: { type: "integer", maximum: 10 } }],
            responses: {
              "200": answerOf({ type: "array", items: componentRef("pet") }),
              default: answerOf({ type: "object" }),
            },
          },
          post: {
            requestBody: { required: true, content: { "application/json": { schema: componentRef("pet") } } },
            responses: { "201": answerOf(componentRef("pet")) },
          },
        },
        "/pets/{id}": {
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
          get: { responses: { "404": answerOf({}), "200": answerOf(componentRef("pet")) } },
          delete: { responses: { "204": { description: "" } } },
        },
      },
      {
        servers: [{ url: "https://pets.example/{v}", variables: { v: { default: "v2" } } }],
        components: { schemas: { pet } },
      },
    ),
    calls: {
      "GET /v2/pets?limit=3": { status: 200, schema: { type: "array", items: pet } },
      "POST /v2/pets": { status: 201, schema: pet, ...jsonBody({ id: 1, name: "Rex" }) },
      "GET /v2/pets/3": { status: 200, schema: pet },
      "DELETE /v2/pets/3": { status: 204 },
    },
    refusals: {
      "GET /v2/pets?limit=30": { field: "limit" },
      "GET /v2/pets": { field: "limit" },
      "GET /v2/pets/rex": { field: "id" },
      "POST /v2/pets": { field: "name", ...jsonBody({ id: 1, name: "R" }) },
      "PUT /v2/pets": { status: 405 },
    },
  },
  {
    trait: "a recursive schema and nested references",
    document: writtenDocument(
      {
        "/list": {
          post: {
            requestBody: { $ref: "#/components/requestBodies/list" },
            responses: { "200": { $ref: "#/components/responses/list" } },
          },
        },
      },
      {
        components: {
          schemas: { node },
          requestBodies: { list: { content: { "application/json": { schema: componentRef("node") } } } },
          responses: { list: answerOf(componentRef("node")) },
        },
      },
    ),
    calls: {
      "POST /list": {
        status: 200,
        schema: { ...node, properties: { value: { type: "integer" }, next: { $ref: "#" } } },
        ...jsonBody({ value: 1, next: { value: 2 } }),
      },
    },
    refusals: { "POST /list": { field: "next.value", ...jsonBody({ value: 1, next: { value: "x" } }) } },
  },
  {
    trait: "YAML, types in lists and null",
    document: `
openapi: 3.1.0
paths:
  /day:
    get:
      parameters:
        - { name: X-Trace, in: header, required: true, schema: { type: string, pattern: "^[a-f]+$" } }
      responses:
        "200":
          content:
            application/json:
              schema: { type: [object, "null"], required: [day], properties: { day: { type: [string, "null"], format: date } } }
`,
    calls: {
      "GET /day": {
        status: 200,
        headers: { "X-Trace": "abc" },
        schema: {
          type: ["object", "null"],
          required: ["day"],
          properties: { day: { type: ["string", "null"], format: "date" } },
        },
      },
    },
    refusals: { "GET /day": { field: "X-Trace", headers: { "X-Trace": "xyz" } } },
  },
  {
    trait: "nullable members and limits of OpenAPI 3.0",
    document: writtenDocument({
      "/price": {
        get: {
          responses: {
            "200": answerOf({
              type: "object",
              required: ["price", "note"],
              properties: {
                price: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 1 },
                note: { type: "string", nullable: true },
              },
            }),
          },
        },
      },
    }),
    calls: {
      "GET /price": {
        status: 200,
        schema: {
          required: ["price", "note"],
          properties: {
            price: { type: "number", exclusiveMinimum: 0, maximum: 1 },
            note: { type: ["string", "null"] },
          },
        },
      },
    },
    refusals: {},
  },
  {
    trait: "a discriminator",
    document: writtenDocument(
      {
        "/shape": {
          put: {
            requestBody: { content: { "application/json": { schema: componentRef("shape") } } },
            responses: { "200": answerOf(componentRef("shape")) },
          },
        },
      },
      {
        components: {
          schemas: {
            shape: { oneOf: [componentRef("circle"), componentRef("square")], discriminator: { propertyName: "kind" } },
            circle: {
              type: "object",
              required: ["kind", "r"],
              properties: { kind: { enum: ["circle"] }, r: { type: "number" } },
            },
            square: {
              type: "object",
              required: ["kind", "a"],
              properties: { kind: { enum: ["square"] }, a: { type: "number" } },
            },
          },
        },
      },
    ),
    calls: {
      "PUT /shape": {
        status: 200,
        schema: {
          oneOf: [
            { required: ["r"], properties: { kind: { const: "circle" } } },
            { required: ["a"], properties: { kind: { const: "square" } } },
          ],
        },
        ...jsonBody({ kind: "circle", r: 2 }),
      },
    },
    refusals: { "PUT /shape": { field: "r", ...jsonBody({ kind: "triangle" }) } },
  },
];
