/** What steps of lives are made of. */
import type { LifeWorld } from "./life-world.ts";

/** A step as it is drawn and printed. `of`: which order, counted from the first; `n`: a number that the step uses. */
export interface Step {
  readonly do: string;
  readonly of: number;
  readonly n: number;
}

export interface Kind {
  readonly weight: number;
  /** Returns what came of it, for the log. */
  readonly run: (world: LifeWorld, step: Step) => Promise<string | undefined>;
}

export const said = (outcome: { readonly code: string } | undefined) => outcome?.code ?? "no answer";

/** Makes steps with one of some things; nothing happens where there is none yet. */
export const withOne =
  <Thing>(things: (world: LifeWorld) => readonly Thing[]) =>
  (run: (world: LifeWorld, thing: Thing, step: Step) => Promise<string | undefined>): Kind["run"] =>
  async (world, step) => {
    const all = things(world);
    const thing = all[step.of % Math.max(1, all.length)];
    return thing && run(world, thing, step);
  };

export const withOrder = withOne((world) => world.orders);
