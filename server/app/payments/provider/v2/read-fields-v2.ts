import type { FieldsV2 } from "../../../../payment-wire/sign-v2.ts";
import { readXmlV2 } from "../../../../payment-wire/xml-v2.ts";

/**
 * The non-empty fields of a message of version 2. Empty ones are not signed, so they count as missing.
 * @throws XmlFormatError
 */
export function readFieldsV2(text: string): FieldsV2 {
  const fields = readXmlV2(text);
  for (const name in fields) if (fields[name] === "") delete fields[name];
  return fields;
}
