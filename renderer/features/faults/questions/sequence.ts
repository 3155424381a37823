/** A small sequence diagram as data: who speaks to whom, and what goes wrong. */

/** Its texts: `faults.actors.<name>`. */
export type Actor = "buyer" | "platform" | "backend" | "client" | "server" | "forger";

export interface SequenceStep {
  readonly from: Actor;
  readonly to: Actor;
  /** In words of the wire, which are the same in every language. */
  readonly label: string;
  /** `wrong`: it should not be so. `lost`: it never arrives. `late`: it takes long. */
  readonly fault?: "wrong" | "lost" | "late";
}

export interface FaultSequence {
  readonly actors: readonly Actor[];
  readonly steps: readonly SequenceStep[];
}

/** One asks another, whose answer goes wrong. */
export const faultyAnswer = (
  [from, to]: readonly [Actor, Actor],
  label: string,
  answer: Pick<SequenceStep, "label" | "fault">,
): FaultSequence => ({
  actors: [from, to],
  steps: [
    { from, to, label },
    { from: to, to: from, ...answer },
  ],
});
