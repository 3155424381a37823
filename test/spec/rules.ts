/**
 * Every rule of the specification, in our own words, one for each thing that it asks for. Where it leaves something open,
 * the rule is that it has been decided and can be read. Tests quote the id at the start of their title.
 */
import { authenticationRules, errorRules } from "./rules/authentication.ts";
import { endpointRules } from "./rules/endpoints.ts";
import { resourceRules } from "./rules/resources.ts";
import type { Rule } from "./rules/section.ts";

export const rules: readonly Rule[] = [...resourceRules, ...endpointRules, ...authenticationRules, ...errorRules];
