/** Refuses members of a request that Hearth does not support, by their names. */
import { OllamaError } from "../ollama-error.ts";

/** A refusal that names the member of the request; for programs, too, where the family's errors have a place for it. */
export class FieldRefusal extends OllamaError {
  readonly param: string;
  readonly code: string;
  constructor(param: string, message: string, code = "unsupported_value") {
    super(400, message);
    this.param = param;
    this.code = code;
  }
}

/** Client libraries send null, false and empty values for what nobody asked for. */
export const asksSomething = (value: unknown) =>
  typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);

interface Refusal {
  /** The alternative, or the reason. */
  readonly hint: string;
  /** Whether a value asks for anything. */
  readonly asks?: (value: unknown) => boolean;
}

/** The unsupported members of a request. */
export type Unsupported<Body> = Readonly<Partial<Record<keyof Body, Refusal>>>;

/** @throws FieldRefusal */
export function refuseUnsupported(
  body: Readonly<Record<string, unknown>>,
  unsupported: Readonly<Record<string, Refusal>>,
): void {
  for (const [member, { hint, asks = asksSomething }] of Object.entries(unsupported))
    if (asks(body[member])) throw new FieldRefusal(member, `${member} is not supported: ${hint}`);
}
