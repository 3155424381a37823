/** The actions that list and disarm faults. */
import { z } from "zod";
import { optionalArgument, onOff } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { ActionError } from "../action-error.ts";
import { faultResultSchema, printFaults, readFaults, removeFault } from "./fault-result.ts";

export const faultList = action({
  name: "fault list",
  group: "Faults and data",
  summary: "list, arm and disarm faults of the platform and of the application server",
  input: z.object({}),
  output: z.array(faultResultSchema),
  effect: "reads",
  run: (hearth, _, signal) => readFaults(hearth, signal),
  print: (faults) =>
    faults.length === 0 ? "No faults are armed. Arm one with `hearth fault arm KIND`." : printFaults(faults),
});

export const faultDisarm = action({
  name: "fault disarm",
  group: "Faults and data",
  summary: "disarm a fault, or all of them",
  input: z.object({
    key: optionalArgument("KEY", "key of the fault, such as sim-2"),
    all: onOff("disarms all faults"),
  }),
  output: z.array(z.string()),
  effect: "removes",
  async run(hearth, { key, all = false }, signal) {
    if ((key === undefined) !== all)
      throw new ActionError("Give the key of a fault, or --all; `hearth fault` lists them.", { exitCode: 2 });
    const keys = key === undefined ? (await readFaults(hearth, signal)).map((fault) => fault.key) : [key];
    for (const one of keys) await removeFault(hearth, one, signal);
    return keys;
  },
  print: (keys) => (keys.length === 0 ? "No faults were armed." : `Disarmed ${keys.join(", ")}.`),
});
