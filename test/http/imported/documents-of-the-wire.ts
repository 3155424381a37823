/** Small OpenAPI documents with forms, parameters in styles and answers that are not JSON. */
import { answerOf, componentRef, jsonBody, writtenDocument, type DocumentTrait } from "./documents-with-traits.ts";

export const wireTraits: readonly DocumentTrait[] = [
  {
    trait: "forms",
    document: writtenDocument({
      "/login": {
        post: {
          requestBody: {
            required: true,
            content: {
              "application/x-www-form-urlencoded": {
                schema: { type: "object", required: ["age"], properties: { age: { type: "integer" } } },
              },
              "multipart/form-data": {
                schema: {
                  type: "object",
                  required: ["file"],
                  properties: { file: { type: "string", format: "binary" } },
                },
              },
            },
          },
          responses: { "200": answerOf({ type: "boolean" }) },
        },
      },
    }),
    calls: { "POST /login": { status: 200, schema: { type: "boolean" }, body: new URLSearchParams({ age: "3" }) } },
    refusals: {
      "POST /login": { field: "age", body: new URLSearchParams({ age: "three" }) },
      "POST /login?json": { status: 415, ...jsonBody({ age: 3 }) },
      "POST /login?empty": { field: "body" },
    },
  },
  {
    trait: "answers that are not JSON",
    document: writtenDocument({
      "/text": { get: { responses: { "200": answerOf({ type: "string", maxLength: 5 }, "text/plain") } } },
      "/picture": { get: { responses: { "200": answerOf({ type: "string", format: "binary" }, "image/png") } } },
    }),
    calls: {
      "GET /text": { status: 200, type: "text/plain", schema: { type: "string", maxLength: 5 } },
      "GET /picture": { status: 200, type: "image/png", schema: { type: "string" } },
    },
    refusals: {},
  },
  {
    trait: "parameters in styles",
    document: writtenDocument({
      "/a/{ids}/{one}.json": {
        get: {
          parameters: [
            {
              name: "ids",
              in: "path",
              required: true,
              style: "matrix",
              schema: { type: "array", items: { type: "integer" } },
            },
            { name: "one", in: "path", required: true, schema: { type: "string", maxLength: 3 } },
            {
              name: "tags",
              in: "query",
              explode: false,
              schema: { type: "array", maxItems: 2, items: { type: "string" } },
            },
            {
              name: "f",
              in: "query",
              style: "deepObject",
              schema: { type: "object", properties: { n: { type: "integer" } } },
            },
            { name: "c", in: "cookie", schema: { type: "boolean" } },
          ],
          responses: { default: answerOf({ type: "integer", minimum: 3, maximum: 3 }) },
        },
      },
    }),
    calls: {
      "GET /a/;ids=1,2/x.json?tags=a,b&f[n]=3": { status: 200, schema: { const: 3 }, headers: { Cookie: "c=true" } },
    },
    refusals: {
      "GET /a/;ids=1,x/x.json": { field: "ids.1" },
      "GET /a/;ids=1/long.json": { field: "one" },
      "GET /a/;ids=1/x.json?tags=a,b,c": { field: "tags" },
      "GET /a/;ids=1/x.json?f[n]=x": { field: "f.n" },
      "GET /a/;ids=1/x.json": { field: "c", headers: { Cookie: "c=3" } },
    },
  },
  {
    trait: "members that only the server or only the client writes",
    document: writtenDocument(
      {
        "/users": {
          post: {
            requestBody: { content: { "application/json": { schema: componentRef("user") } } },
            responses: {
              "201": { ...answerOf(componentRef("user")), headers: { "X-Rate": { schema: { type: "integer" } } } },
            },
          },
        },
      },
      {
        components: {
          schemas: {
            user: {
              type: "object",
              required: ["id", "name"],
              properties: { id: { type: "string", format: "uuid", readOnly: true }, name: { type: "string" } },
              additionalProperties: { type: "integer" },
            },
          },
        },
      },
    ),
    calls: {
      "POST /users": {
        status: 201,
        schema: { required: ["id", "name"], properties: { id: { format: "uuid" } } },
        ...jsonBody({ name: "Ada", age: 3 }),
      },
    },
    refusals: { "POST /users": { field: "age", ...jsonBody({ name: "Ada", age: "x" }) } },
  },
  {
    trait: "deep allOf, examples, lists of any length and paths that overlap",
    document: writtenDocument(
      {
        "/over/{id}/{action}": { get: { responses: { "204": { description: "" } } } },
        "/over/{id}/last": {
          get: {
            responses: {
              "200": answerOf({ type: "array", minItems: 1, maxItems: 2147483647, items: componentRef("a") }),
            },
          },
        },
        "/deep": { get: { responses: { "2XX": answerOf(componentRef("c")) } } },
        "/said": {
          get: {
            responses: {
              "202": {
                description: "",
                content: { "application/json": { schema: componentRef("a"), example: { a: "as said" } } },
              },
            },
          },
        },
      },
      {
        components: {
          schemas: {
            a: { type: "object", required: ["a"], properties: { a: { type: "string" } } },
            b: {
              allOf: [
                componentRef("a"),
                { required: ["b"], properties: { b: { type: "array", minItems: 2, items: componentRef("a") } } },
              ],
            },
            c: {
              allOf: [componentRef("b"), { required: ["c"], properties: { c: { type: "string", format: "uuid" } } }],
            },
          },
        },
      },
    ),
    calls: {
      "GET /deep": {
        status: 200,
        schema: {
          required: ["a", "b", "c"],
          properties: { b: { minItems: 2 }, c: { type: "string", format: "uuid" } },
        },
      },
      "GET /over/1/first": { status: 204 },
      "GET /over/1/last": { status: 200, schema: { type: "array", minItems: 1, items: { required: ["a"] } } },
      "GET /said": { status: 202, schema: { const: { a: "as said" } } },
    },
    refusals: {},
  },
];
