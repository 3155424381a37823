/** The choices of a field, with its present value among them: one from an address need not be offered. */
export const withPresent = (choices: readonly string[], present: string | undefined): readonly string[] =>
  present === undefined || choices.includes(present) ? choices : [present, ...choices];
