/** Faults that a client may meet: at its login, and at any call. */
import { routeFault, sim, type QuestionParts } from "../preset.ts";
import { faultyAnswer, type FaultSequence, type SequenceStep } from "./sequence.ts";

const calling = ["client", "server"] as const;

/** A login at which the platform's answer goes wrong. */
const loginAnswered = (answer: Pick<SequenceStep, "label" | "fault">): FaultSequence => ({
  actors: ["client", "server", "platform"],
  steps: [
    { from: "client", to: "server", label: "code" },
    { from: "server", to: "platform", label: "code" },
    { from: "platform", to: "server", ...answer },
  ],
});

export const clientQuestions = [
  {
    id: "loginSlow",
    origin: "identity",
    sequence: loginAnswered({ label: "openid", fault: "late" }),
    presets: [
      { name: "fiveSeconds", fault: sim("identity_slow", { delay_ms: 5_000 }) },
      { name: "oneMinute", fault: sim("identity_slow", { delay_ms: 60_000 }) },
    ],
  },
  {
    id: "loginBusy",
    origin: "identity",
    sequence: loginAnswered({ label: "-1", fault: "wrong" }),
    presets: [
      { name: "systemBusy", fault: sim("identity_errcode", { errcode: -1 }) },
      { name: "tooManyCalls", fault: sim("identity_errcode", { errcode: 45011 }) },
      { name: "invalidCode", fault: sim("identity_errcode", { errcode: 40029 }) },
    ],
  },
  {
    id: "serverDown",
    origin: "route",
    sequence: faultyAnswer(calling, "GET", { label: "503", fault: "wrong" }),
    presets: [
      { name: "once", fault: routeFault({ status: 503, times: 1 }) },
      { name: "always", fault: routeFault({ status: 503 }) },
      { name: "oneInFive", fault: routeFault({ status: 503, probability: 0.2 }) },
    ],
  },
  {
    id: "serverSlow",
    origin: "route",
    sequence: faultyAnswer(calling, "GET", { label: "200", fault: "late" }),
    presets: [
      { name: "threeSeconds", fault: routeFault({ delay_ms: 3_000 }) },
      { name: "oneMinute", fault: routeFault({ delay_ms: 60_000 }) },
    ],
  },
  {
    id: "cut",
    origin: "route",
    sequence: faultyAnswer(calling, "POST", { label: "", fault: "lost" }),
    presets: [
      { name: "once", fault: routeFault({ abort: true, times: 1 }) },
      { name: "always", fault: routeFault({ abort: true }) },
      { name: "oneInFive", fault: routeFault({ abort: true, probability: 0.2 }) },
    ],
  },
  {
    id: "sessionEnds",
    origin: "route",
    sequence: {
      actors: calling,
      steps: [
        { from: "client", to: "server", label: "GET" },
        { from: "server", to: "client", label: "401", fault: "wrong" },
        { from: "client", to: "server", label: "login" },
      ],
    },
    presets: [{ name: "once", fault: routeFault({ status: 401, times: 1 }) }],
  },
] as const satisfies readonly QuestionParts[];
