/** The data that Ollama gives to its templates, in the types that it has there: they decide how a value is printed. */
import { goJson } from "./go-json.ts";
import {
  anyMap,
  GoMap,
  GoPointer,
  GoSlice,
  GoStruct,
  goValueOf,
  type GoMethod,
  type GoType,
  type GoValue,
  type JsonName,
} from "./go-values.ts";

/** A message as templates of chats get it. */
export interface SentMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly thinking?: string;
  readonly tool_calls?: readonly SentCall[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}
interface SentCall {
  readonly id?: string;
  readonly function: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };
}
export interface SentTool {
  readonly type?: string;
  readonly items?: unknown;
  readonly function: { readonly name?: string; readonly description?: string; readonly parameters?: unknown };
}

/** `a,omitempty` names JSON members as struct tags do. */
const jsonNames = (names: Tags): ReadonlyMap<string, JsonName> =>
  new Map(
    Object.entries(names).map(([field, tag]) => {
      const [name = "", option] = tag.split(",");
      return [field, { name, omitsEmpty: option === "omitempty" }];
    }),
  );

/** Printed as JSON. */
const asJson = (empty?: string) => {
  const text = (value: GoValue) =>
    empty !== undefined && value instanceof GoMap && value.isNil ? empty : goJson(value);
  return { text, methods: new Map<string, GoMethod>([["String", text]]) };
};

const typescriptNames: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  array: "any[]",
  object: "Record<string, any>",
  null: "null",
};

/** The type of a property in TypeScript. */
export function typescriptType(value: GoValue): string {
  const property = value instanceof GoPointer ? value.target : value;
  if (!(property instanceof GoStruct) || property.type !== propertyType) return "any";
  const { items: choices } = property.fields.get("AnyOf") as GoSlice;
  if (choices.length > 0) return choices.map(typescriptType).join(" | ");
  const { items: types } = property.fields.get("Type") as GoSlice;
  if (types.length === 0) return "any";
  return types
    .map((type) => (Object.hasOwn(typescriptNames, type as string) ? typescriptNames[type as string] : "any"))
    .join(" | ");
}

type Tags = Readonly<Record<string, string>>;
const slice = (name: string, more: Partial<GoType> = {}): GoType => ({ kind: "slice", name, ...more });
const struct = (name: string, tags?: Tags, more: Partial<GoType> = {}): GoType => ({
  kind: "struct",
  name,
  ...(tags && { jsonNames: jsonNames(tags) }),
  ...more,
});

const texts = slice("[]string");
const anything = slice("[]interface {}");
const propertyTypes: GoType = {
  kind: "slice",
  name: "api.PropertyType",
  text: (value) => {
    const types = (value as GoSlice).items as readonly string[];
    return types.length > 1 ? `[${types.join(" ")}]` : types.join("");
  },
  methods: new Map([["String", (value) => propertyTypes.text?.(value)]]),
  json: (value) => ((value as GoSlice).items.length === 1 ? (value as GoSlice).items[0] : undefined),
};
const propertyType: GoType = {
  kind: "struct",
  name: "api.ToolProperty",
  methods: new Map([["ToTypeScriptType", typescriptType]]),
  jsonNames: jsonNames({
    AnyOf: "anyOf,omitempty",
    Type: "type,omitempty",
    Items: "items,omitempty",
    Description: "description,omitempty",
    Enum: "enum,omitempty",
    Properties: "properties,omitempty",
    Required: "required,omitempty",
  }),
};
const propertyList = slice("[]api.ToolProperty");

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

function textsOf(value: unknown, type: GoType): GoSlice {
  if (typeof value === "string" && type === propertyTypes) return new GoSlice(type, [value]);
  return Array.isArray(value)
    ? new GoSlice(
        type,
        value.filter((item) => typeof item === "string"),
      )
    : new GoSlice(type);
}

/** The properties by their names, in the order in which they were sent. */
const propertiesOf = (value: unknown) =>
  isObject(value) ? new Map(Object.entries(value).map(([name, property]) => [name, propertyOf(property)])) : undefined;

const propertyMap: GoType = { kind: "map", name: "map[string]api.ToolProperty" };
const orderedProperties: GoType = { ...propertyMap, isOrdered: true };
const inner = (value: GoValue) => (value as GoPointer).target as GoMap | undefined;
/** Nested properties keep their order in JSON and cannot be ranged over, but their map can. */
const nestedProperties: GoType = {
  kind: "pointer",
  name: "*api.ToolPropertiesMap",
  methods: new Map<string, GoMethod>([
    ["Len", (value) => BigInt(inner(value)?.entries.size ?? 0)],
    ["ToMap", (value) => new GoMap(propertyMapType, inner(value)?.entries)],
  ]),
};

function propertyOf(sent: unknown): GoStruct {
  const { anyOf, type, items, description, enum: choices, properties, required } = isObject(sent) ? sent : ({} as Json);
  const nested = propertiesOf(properties);
  return new GoStruct(propertyType, {
    AnyOf: new GoSlice(propertyList, Array.isArray(anyOf) ? anyOf.map(propertyOf) : undefined),
    Type: textsOf(type, propertyTypes),
    Items: goValueOf(items ?? null),
    Description: textOf(description),
    Enum: new GoSlice(anything, Array.isArray(choices) ? choices.map(goValueOf) : undefined),
    Properties: new GoPointer(nestedProperties, nested && new GoMap(orderedProperties, nested)),
    Required: textsOf(required, texts),
  });
}

const propertyMapType: GoType = { ...propertyMap, zero: propertyOf({}) };
const toolProperties: GoType = { ...propertyMapType, name: "template.templateProperties", ...asJson("{}") };
const parametersType = struct("template.templateToolFunctionParameters", {
  Type: "type",
  Defs: "$defs,omitempty",
  Items: "items,omitempty",
  Required: "required,omitempty",
  Properties: "properties",
});
const toolFunction = struct("template.templateToolFunction", {
  Name: "name",
  Description: "description",
  Parameters: "parameters",
});
const toolTags = { Type: "type", Items: "items,omitempty", Function: "function" };
const toolType = struct("template.templateTool", toolTags, asJson());
const toolsType = slice("template.templateTools", asJson());

function toolOf({ type, items, function: { name, description, parameters } }: SentTool): GoStruct {
  const schema = isObject(parameters) ? parameters : ({} as Json);
  return new GoStruct(toolType, {
    Type: textOf(type),
    Items: goValueOf(items ?? null),
    Function: new GoStruct(toolFunction, {
      Name: textOf(name),
      Description: textOf(description),
      Parameters: new GoStruct(parametersType, {
        Type: textOf(schema["type"]),
        Defs: goValueOf(schema["$defs"] ?? null),
        Items: goValueOf(schema["items"] ?? null),
        Required: textsOf(schema["required"], texts),
        Properties: new GoMap(toolProperties, propertiesOf(schema["properties"])),
      }),
    }),
  });
}

export const toolsOf = (tools: readonly SentTool[] | undefined) => new GoSlice(toolsType, tools?.map(toolOf));

const argumentsType: GoType = { kind: "map", name: "template.templateArgs", zero: null, ...asJson("{}") };
const callFunction = struct("template.templateToolCallFunction");
const callType = struct("template.templateToolCall");
const callsType = slice("[]template.templateToolCall");
const messageType = struct("template.templateMessage");
const messagePointer: GoType = { kind: "pointer", name: "*template.templateMessage" };
const messagesType = slice("[]*template.templateMessage");
const imagesType = slice("[]api.ImageData");

const callOf = ({ id, function: { name, arguments: sent } }: SentCall) =>
  new GoStruct(callType, {
    ID: textOf(id),
    Function: new GoStruct(callFunction, {
      Index: 0n,
      Name: textOf(name),
      Arguments: new GoMap(argumentsType, isObject(sent) ? (goValueOf(sent) as GoMap).entries : undefined),
    }),
  });

const messageOf = ({
  role,
  content,
  thinking,
  tool_calls: calls = [],
  tool_name: name,
  tool_call_id: id,
}: SentMessage) =>
  new GoStruct(messageType, {
    Role: textOf(role),
    Content: textOf(content),
    Thinking: textOf(thinking),
    Images: new GoSlice(imagesType),
    ToolCalls: new GoSlice(callsType, calls.length === 0 ? undefined : calls.map(callOf)),
    ToolName: textOf(name),
    ToolCallID: textOf(id),
  });

export const messagesOf = (messages: readonly SentMessage[]) =>
  new GoSlice(
    messagesType,
    messages.length === 0 ? undefined : messages.map((message) => new GoPointer(messagePointer, messageOf(message))),
  );

export const variablesOf = (variables: Readonly<Record<string, GoValue>>) => anyMap(Object.entries(variables));
