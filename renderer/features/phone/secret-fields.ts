const secret = /^(access_token|code|encryptedData|iv|signature|rawData|paySign|package|phone_?number|.*password)$/i;

/** The value with secrets replaced by references: `{{access_token}}`. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value instanceof FormData)
    return Object.fromEntries([...value].map(([name, part]) => [name, part instanceof File ? part.name : part]));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      secret.test(name) && typeof member === "string" && !isErrorCode(value) ? `{{${name}}}` : withoutSecrets(member),
    ]),
  );
}

/** In an error body `code` is an error code, not a login code. */
const isErrorCode = (value: object) => "Message" in value;
