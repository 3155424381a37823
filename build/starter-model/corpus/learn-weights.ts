/** Multinomial logistic regression: how much each term of a text speaks for each label. */
import type { Random } from "./random.ts";

export interface Example {
  /** From 0. */
  readonly label: number;
  /** Numbers of terms, from 0, each once. */
  readonly terms: readonly number[];
}
export interface Weights {
  /** A row of all labels for each term. A label's score of n terms is its bias and the sum of their weights / √n. */
  readonly ofTerms: Float32Array;
  readonly bias: Float32Array;
}

const epochs = 7;
const batchSize = 256;
const rate = 0.02;
/** Of an example's terms, so many are missing each time: what is learned holds without some of them. */
const dropped = 0.5;
/** Of the likelihood, so much is wanted for all labels alike. */
const smoothed = 0.05;

/** A part of the parameters with its gradient, and Adam's two moments of it. */
class Parameters {
  readonly values: Float32Array;
  readonly gradient: Float32Array;
  readonly #mean: Float32Array;
  readonly #square: Float32Array;

  constructor(length: number) {
    this.values = new Float32Array(length);
    this.gradient = new Float32Array(length);
    this.#mean = new Float32Array(length);
    this.#square = new Float32Array(length);
  }

  /** Moves the values from `start` to `end` against their gradient, and forgets that. */
  step(start: number, end: number, steps: number): void {
    const correctMean = 1 - 0.9 ** steps;
    const correctSquare = 1 - 0.999 ** steps;
    // Read once: this loop and those of `learn` are nearly all of the time.
    const { values, gradient: gradients } = this;
    const means = this.#mean;
    const squares = this.#square;
    for (let at = start; at < end; at++) {
      const gradient = gradients[at] ?? 0;
      const mean = 0.9 * (means[at] ?? 0) + 0.1 * gradient;
      const square = 0.999 * (squares[at] ?? 0) + 0.001 * gradient * gradient;
      means[at] = mean;
      squares[at] = square;
      gradients[at] = 0;
      values[at] = (values[at] ?? 0) - (rate * mean) / correctMean / (Math.sqrt(square / correctSquare) + 1e-8);
    }
  }
}

export function learnWeights(examples: readonly Example[], terms: number, labels: number, random: Random): Weights {
  const weights = new Parameters(terms * labels);
  const bias = new Parameters(labels);
  const { values, gradient } = weights;
  const scores = new Float64Array(labels);
  let steps = 0;

  function learn({ label, terms: all }: Example, touched: Set<number>): void {
    const kept = all.filter(() => !random.chance(dropped));
    if (kept.length === 0) return;
    const scale = 1 / Math.sqrt(all.length) / (1 - dropped);
    scores.set(bias.values);
    for (const term of kept)
      for (let one = 0, at = term * labels; one < labels; one++, at++)
        scores[one] = (scores[one] ?? 0) + scale * (values[at] ?? 0);
    const most = scores.reduce((best, score) => Math.max(best, score));
    let sum = 0;
    for (let one = 0; one < labels; one++) sum += scores[one] = Math.exp((scores[one] ?? 0) - most);
    for (let one = 0; one < labels; one++) {
      const wanted = (one === label ? 1 - smoothed : 0) + smoothed / labels;
      const error = ((scores[one] ?? 0) / sum - wanted) / batchSize;
      scores[one] = error;
      bias.gradient[one] = (bias.gradient[one] ?? 0) + error;
    }
    for (const term of kept) {
      touched.add(term);
      for (let one = 0, at = term * labels; one < labels; one++, at++)
        gradient[at] = (gradient[at] ?? 0) + scale * (scores[one] ?? 0);
    }
  }

  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = random.shuffle(examples);
    for (let start = 0; start < order.length; start += batchSize) {
      const touched = new Set<number>();
      for (const example of order.slice(start, start + batchSize)) learn(example, touched);
      steps++;
      for (const term of touched) weights.step(term * labels, (term + 1) * labels, steps);
      bias.step(0, labels, steps);
    }
  }
  return { ofTerms: values, bias: bias.values };
}
