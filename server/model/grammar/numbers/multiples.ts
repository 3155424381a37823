/** Whole multiples of a number, as JSON writes them: read digit by digit, what is kept is the remainder. */
import { decimalOf, scaled } from "./decimal.ts";
import type { Automaton, Move, State } from "../text/automaton.ts";
import { minimized } from "../text/minimized.ts";
import { unenforceable } from "../unenforceable.ts";

const mostStates = 4000;

const on = (character: string, to: number): Move => {
  const point = character.charCodeAt(0);
  return { on: [point, point], to };
};

/**
 * An optional sign, digits, and perhaps a point among them; other automata see to what JSON asks of their form.
 * @throws OllamaError 400
 */
export function multiplesOf(number: number, path: string): Automaton {
  const decimal = decimalOf(Math.abs(number));
  const places = decimal.fraction.length;
  const divisor = Number(scaled(decimal, places));
  if (divisor === 0) throw unenforceable("multipleOf", path, "it must be more than 0");
  if (divisor * (places + 2) > mostStates) throw unenforceable("multipleOf", path, "it has too many digits");
  /** A state for each remainder: in stage 0 before the point, in stage n + 1 behind n digits after it. */
  const stateOf = (stage: number, remainder: number) => 2 + stage * divisor + remainder;
  const digits = (stage: number, remainder: number) =>
    Array.from({ length: 10 }, (_, digit) => on(String(digit), stateOf(stage, (remainder * 10 + digit) % divisor)));
  function state(stage: number, remainder: number): State {
    const left = 10n ** BigInt(places - Math.max(0, stage - 1));
    const accepts = stage !== 1 && (BigInt(remainder) * left) % BigInt(divisor) === 0n;
    if (stage === 0) return { accepts, moves: [...digits(0, remainder), on(".", stateOf(1, remainder))] };
    // Only zeros may follow the last place that counts.
    return {
      accepts,
      moves: stage > places ? [on("0", stateOf(places + 2, remainder))] : digits(stage + 1, remainder),
    };
  }
  return minimized([
    { accepts: false, moves: [on("-", 1), ...digits(0, 0)] },
    { accepts: false, moves: digits(0, 0) },
    ...Array.from({ length: (places + 3) * divisor }, (_, index) => {
      const [stage, remainder] = [Math.floor(index / divisor), index % divisor];
      if (stage < places + 2) return state(stage, remainder);
      const { accepts } = state(places + 1, remainder);
      return { accepts: places === 0 ? remainder === 0 : accepts, moves: [on("0", stateOf(stage, remainder))] };
    }),
  ]);
}
