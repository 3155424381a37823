/** The faults as questions of somebody who tests a client or a backend, each with a picture and with presets. */
import { clientQuestions } from "./client-questions.ts";
import type { FaultRow } from "../fault-row.ts";
import { paymentQuestions } from "./payment-questions.ts";
import type { Preset, QuestionParts } from "../preset.ts";

const list = [...paymentQuestions, ...clientQuestions] as const;

/** Its texts: `faults.questions.<id>`. */
type QuestionId = (typeof list)[number]["id"];
type PresetName = (typeof list)[number]["presets"][number]["name"];

export interface FaultQuestion extends QuestionParts {
  readonly id: QuestionId;
  readonly presets: readonly [Preset<PresetName>, ...Preset<PresetName>[]];
}

export const questions: readonly FaultQuestion[] = list;

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a fault is what a question asks: of its kind, or what its presets do to a route. */
export const isAskedBy = ({ presets }: FaultQuestion, { input }: FaultRow): boolean =>
  presets.some(({ fault }) => {
    if (fault.side === "sim") return input.side === "sim" && input.body.kind === fault.body.kind;
    if (input.side === "sim") return false;
    const { status, abort, delay_ms } = fault.body;
    return same([status, abort, delay_ms], [input.body.status, input.body.abort, input.body.delay_ms]);
  });
