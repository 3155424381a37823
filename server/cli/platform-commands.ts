/** The commands about the simulated platform. */
import { checkProjectInput } from "./check-project/check-project-input.ts";
import { command, type Command } from "./command.ts";
import { integrationInput } from "./integration/integration-input.ts";
import { receiverInput } from "./receiver/receiver-input.ts";

export const platformCommands: readonly Command[] = [
  command({
    name: "check-receiver",
    group: "Develop against Hearth",
    summary: "send forged, repeated, late and wrong payment notifications to a receiver",
    input: receiverInput,
    load: async () => (await import("./receiver/check-receiver.ts")).checkReceiver,
  }),
  command({
    name: "check-integration",
    group: "Develop against Hearth",
    summary: "try a merchant's whole backend: orders, refunds, closing, bills and all notifications",
    input: integrationInput,
    load: async () => (await import("./integration/check-integration.ts")).checkIntegration,
  }),
  command({
    name: "check-project",
    group: "Develop against Hearth",
    summary: "list the platform's operations that a program uses and how closely Hearth simulates each",
    input: checkProjectInput,
    load: async () => (await import("./check-project/check-project-command.ts")).checkProjectCommand,
  }),
];
