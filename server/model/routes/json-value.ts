/** Looking into parts of requests that have no schema. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value as an object; one without members where it is something else. */
export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The members that have a value. */
export const given = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
