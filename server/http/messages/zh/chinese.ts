/** All that the application server says to people, in Chinese. What it says to the payment platform is not among it. */
import type { SentenceTable } from "../translate.ts";
import { consoleSentences } from "./console.ts";
import { features } from "./features.ts";
import { paymentSentences } from "./payments.ts";
import { conditions, predicates, typeNames } from "./predicates.ts";
import { requestSentences } from "./requests.ts";
import { schemas } from "./schemas.ts";

/** A predicate as a sentence, after its subject. */
function withSubject([predicate, translation]: [string, string]): [string, string] {
  const moved = translation.replace(/\{(\d)\}/g, (_, at: string) => `{${String(Number(at) + 1)}}`);
  return [`{} ${predicate}.`, `[0] ${moved.replace(/\[(\d)\]/g, (_, at: string) => `[${String(Number(at) + 1)}]`)}。`];
}

export const chinese: SentenceTable = {
  ...requestSentences,
  ...features,
  ...consoleSentences,
  ...paymentSentences,
  ...schemas,
  ...conditions,
  ...predicates,
  ...typeNames,
  "{} or {}": "[0]或[1]",
  ...Object.fromEntries(Object.entries(predicates).map(withSubject)),
};
