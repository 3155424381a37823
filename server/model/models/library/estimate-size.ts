/** Estimates the size of a model from its name: "llama3.1:8b-instruct-q4_K_M". */

/** Bytes of a weight by the beginning of the format's name. The default format of registries is similar to q4. */
const bytesPerWeight: readonly (readonly [format: RegExp, bytes: number])[] = [
  [/(?:^|[^a-z\d])(?:fp|f)32/, 4],
  [/(?:^|[^a-z\d])(?:bf|fp|f)16/, 2],
  [/q8/, 1.06],
  [/q6/, 0.82],
  [/q5/, 0.71],
  [/q3/, 0.48],
  [/q2/, 0.38],
];
const usualBytes = 0.6;

export interface EstimatedSize {
  readonly parameters: number;
  /** Bytes of the weights. */
  readonly bytes: number;
}

/** Undefined for a name without a size. */
export function estimateSize(name: string): EstimatedSize | undefined {
  const text = name.toLowerCase();
  const [, experts = "1", digits, unit] =
    /(?:^|[^a-z\d.])(?:(\d{1,4})x)?(\d{1,6}(?:\.\d{1,6})?)([bm])(?![a-z\d])/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const parameters = Math.round(Number(experts) * Number(digits) * (unit === "b" ? 1e9 : 1e6));
  const [, bytes = usualBytes] = bytesPerWeight.find(([format]) => format.test(text)) ?? [];
  return { parameters, bytes: Math.round(parameters * bytes) };
}
