/** Judges values by JSON Schema 2020-12; it shares nothing with the grammars. */
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 9, addUsedSchema: false });
formats.default(ajv);

/** What is wrong with a value: the validator's errors as text, empty for one that satisfies the schema. */
export function schemaValidator(schema: unknown): (value: unknown) => string {
  const validate = ajv.compile(schema as object);
  return (value) => (validate(value) ? "" : ajv.errorsText(validate.errors));
}
