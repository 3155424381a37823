/** What a keyword of JSON Schema refuses, in the words of every other refusal instead of the validator's. */
import type { ErrorObject } from "ajv/dist/2020.js";
import {
  fitsNone,
  hasDuplicates,
  isNotAllowed,
  isUnknown,
  isMissing,
  isInvalid,
  mustBeBounded,
  mustBeFormat,
  mustBeOneOf,
  mustBeType,
  mustFitPattern,
  mustHave,
  wrongName,
} from "../../../http/messages/predicates.ts";

type Params = Readonly<Record<string, unknown>>;
const limitOf = ({ limit }: Params) => Number(limit);

const predicates: Readonly<Record<string, (params: Params) => string>> = {
  required: () => isMissing,
  additionalProperties: () => isUnknown,
  unevaluatedProperties: () => isUnknown,
  type: ({ type }) => mustBeType([type].flat().map(String)),
  enum: ({ allowedValues }) => mustBeOneOf(allowedValues as unknown[]),
  const: ({ allowedValue }) => mustBeOneOf([allowedValue]),
  minLength: (params) => mustHave("at least", limitOf(params), "characters"),
  maxLength: (params) => mustHave("at most", limitOf(params), "characters"),
  minItems: (params) => mustHave("at least", limitOf(params), "items"),
  maxItems: (params) => mustHave("at most", limitOf(params), "items"),
  minProperties: (params) => mustHave("at least", limitOf(params), "members"),
  maxProperties: (params) => mustHave("at most", limitOf(params), "members"),
  minimum: ({ limit }) => mustBeBounded("at least", limit),
  maximum: ({ limit }) => mustBeBounded("at most", limit),
  exclusiveMinimum: ({ limit }) => mustBeBounded("more than", limit),
  exclusiveMaximum: ({ limit }) => mustBeBounded("less than", limit),
  pattern: ({ pattern }) => mustFitPattern(String(pattern)),
  format: ({ format }) => mustBeFormat(String(format)),
  uniqueItems: () => hasDuplicates,
  propertyNames: () => wrongName,
  "false schema": () => isNotAllowed,
  anyOf: () => fitsNone,
  oneOf: () => fitsNone,
  not: () => fitsNone,
  if: () => fitsNone,
  contains: () => fitsNone,
  dependentRequired: ({ missingProperty }) => `must have ${String(missingProperty)}, too`,
};

/** Keywords whose errors carry words of our own. */
const ownWords = new Set(["", "multipleOf"]);

export const describeKeyword = ({ keyword, params, message = isInvalid }: ErrorObject): string =>
  predicates[keyword]?.(params as Params) ?? (ownWords.has(keyword) ? message : isInvalid);
