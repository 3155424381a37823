/** The app's calls to the server, and its reading of error answers. */
import { z } from "zod";
import { StepRefused, type Authorization } from "../../../../server/app/console/reference-client/hearth-client.ts";
import type { SimulatedPhone } from "../phone.ts";
import { isNoAnswer } from "../phone-network.ts";

/** The server answered with an error. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Failure =
  | { kind: "step"; step: Authorization }
  | { kind: "offline" }
  | { kind: "refused"; status: number; message: string }
  | { kind: "other"; message: string };

const refusalSchema = z.union([
  z.object({ Message: z.string() }).transform(({ Message }) => Message),
  z.object({ err_msg: z.string() }).transform(({ err_msg }) => err_msg),
]);

/** The body of a successful answer. @throws Refused for an error answer; the reference client's errors */
export async function askServer<Schema extends z.ZodType>(
  phone: SimulatedPhone,
  schema: Schema,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
): Promise<z.output<Schema>> {
  const { status, body: answer } = await phone.request(method, path, body);
  if (status < 400) return schema.parse(answer);
  const message = refusalSchema.safeParse(answer);
  throw new Refused(status, message.success ? message.data : `HTTP ${String(status)}`);
}

/** The `data` of a successful answer. @throws as `ask` */
export const askFor = async <Schema extends z.ZodType>(
  phone: SimulatedPhone,
  data: Schema,
  request: readonly [method: string, path: string, body?: unknown],
): Promise<z.output<Schema>> => data.parse((await askServer(phone, z.object({ data: z.unknown() }), request)).data);

export function failureOf(error: unknown): Failure {
  if (error instanceof StepRefused) return { kind: "step", step: error.step };
  if (error instanceof Refused) return { kind: "refused", status: error.status, message: error.message };
  if (isNoAnswer(error)) return { kind: "offline" };
  return { kind: "other", message: error instanceof Error ? error.message : String(error) };
}
