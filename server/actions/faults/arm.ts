import { z } from "zod";
import { createFault } from "../../contract/console/control/control-endpoints.ts";
import { faultInputSchema } from "../../contract/console/control/control.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { payCall } from "../../contract/provider/payment-terms.ts";
import {
  createSimFault,
  faultSituations,
  simFaultInputSchema,
  type SimFaultKind,
} from "../../contract/provider/sim-faults.ts";
import { onOff, text, texts, value, valueArgument, whole } from "../../process/command-line/inputs.ts";
import { plainProblem } from "../../process/settings/plain-problem.ts";
import { action } from "../action.ts";
import { ActionError } from "../action-error.ts";
import { duration } from "../duration.ts";
import type { HearthApi } from "../hearth-api.ts";
import { findOrder } from "../payments/order-result.ts";
import { faultResultSchema, faultOfPlatform, printFaults, faultOfRoute } from "./fault-result.ts";

const kinds = Object.values(faultSituations).flat() as [SimFaultKind, ...SimFaultKind[]];

const input = z
  .object({
    kind: valueArgument(z.enum(kinds).optional(), "KIND", `a fault of the platform: ${kinds.join(", ")}`),
    param: texts("NAME=VALUE", "parameter of the kind, such as code=SYSTEMERROR; may be repeated"),
    calls: text("CALLS", `only these calls of the platform, separated by commas: ${payCall.options.join(", ")}`),
    order: text("ORDER", "limits a fault of the platform to this order"),
    times: whole(z.int().min(1).optional(), "N", "how many times it fires; default: until it is disarmed"),
    path: text("PATH", "without KIND: only this path of the application server, such as /api/articles/*"),
    method: text("METHOD", "without KIND: only these methods, separated by commas"),
    status: whole(z.int().optional(), "STATUS", "without KIND: status to return instead of the reply, such as 503"),
    delay: value(duration.optional(), "TIME", "without KIND: delay before the reply, such as 2s"),
    cut: onOff("without KIND: cuts the connection without a reply"),
  })
  .describe(
    `With KIND, the fault hits calls to the simulated platform or its notifications. Without it, the fault hits requests to the \
application server and needs --status, --delay or --cut. docs/guides/failed-payments.md explains the kinds.`,
  );
type ArmInput = z.output<typeof input>;

const wrongInput = (message: string) => new ActionError(message, { exitCode: 2 });

/** Reads a fault by its schema. @throws ActionError that names the member */
function checked<Of extends z.ZodType>(schema: Of, fault: unknown): z.output<Of> {
  const parsed = schema.safeParse(fault, { error: plainProblem });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrongInput(`${(issue?.path ?? []).join(".") || "the fault"}: ${issue?.message ?? "is not valid"}`);
}

/** `code=SYSTEMERROR` as `["code", "SYSTEMERROR"]`. Numbers and booleans are read as such. */
function readParameter(written: string): [string, unknown] {
  const [, name, content] = /^(\w+)=(.*)$/s.exec(written) ?? [];
  if (name === undefined || content === undefined) throw wrongInput(`--param ${written}: write it as NAME=VALUE`);
  return [name, parseJson(content) ?? content];
}

async function armPlatform(hearth: HearthApi, options: ArmInput, signal: AbortSignal) {
  const { kind, param = [], calls, order, times, path, method, status, delay, cut } = options;
  if ((path ?? method ?? status ?? delay ?? cut) !== undefined)
    throw wrongInput("--path, --method, --status, --delay and --cut are for faults without KIND.");
  const scope = order === undefined ? undefined : await findOrder(hearth, order);
  const fault = checked(simFaultInputSchema, {
    kind,
    params: {
      ...Object.fromEntries(param.map(readParameter)),
      ...(calls !== undefined && { calls: calls.split(",") }),
    },
    ...(scope && { scope: { out_trade_no: scope.out_trade_no, mch_id: scope.mch_id } }),
    ...(times !== undefined && { times }),
  });
  return faultOfPlatform(await hearth.call(createSimFault, { body: fault, signal }));
}

async function armRoute(hearth: HearthApi, options: ArmInput, signal: AbortSignal) {
  const { param, calls, order, times, path, method, status, delay, cut } = options;
  if ((param ?? calls ?? order) !== undefined) throw wrongInput("--param, --calls and --order need a KIND.");
  const body = checked(faultInputSchema, { path, method, status, delay_ms: delay, abort: cut, times });
  return faultOfRoute(await hearth.call(createFault, { body, signal }));
}

export const faultArm = action({
  name: "fault arm",
  group: "Faults and data",
  summary: "arm a fault of the platform, or of the application server",
  input,
  output: faultResultSchema,
  effect: "changes",
  run: (hearth, options, signal) =>
    options.kind === undefined ? armRoute(hearth, options, signal) : armPlatform(hearth, options, signal),
  print: (fault) => printFaults([fault]),
});
