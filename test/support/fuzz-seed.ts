/** The seed of generated inputs: the same in each `npm test`, a new one in each `npm run fuzz`. */
export const fuzzSeed = Number(process.env["HEARTH_FUZZ_SEED"] ?? 20_261_120);
