import type { Family } from "./family-templates.ts";

/** What an answer means. */
export interface Outcome {
  readonly thinking?: string;
  readonly content?: string;
  /** Name and arguments of each call, in order. */
  readonly calls?: readonly (readonly [name: string, given: unknown])[];
}

export const oslo = ["get_weather", { city: "Oslo" }] as const;
export const paris = ["get_weather", { city: "Paris", days: 2 }] as const;

/** An answer as the family's models write it: family, what it is, the text, what it means, the end of the prompt. */
export type RecordedAnswer = readonly [Family, what: string, text: string, means: Outcome, prompt?: string];
