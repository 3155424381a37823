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

/** Each member of a request: read, or refused. A member of the schema without an entry does not compile. */
export type Members<Body> = Readonly<Record<keyof Body, "read" | Refusal>>;

/** Entries for members that a route reads. */
export const read = <Name extends string>(...names: readonly Name[]): Readonly<Record<Name, "read">> =>
  Object.fromEntries(names.map((name) => [name, "read"])) as Record<Name, "read">;

/** @throws FieldRefusal */
export function refuseUnsupported<Body extends object>(body: Body, members: Members<Body>): void {
  for (const [member, use] of Object.entries(members) as [keyof Body & string, "read" | Refusal][])
    if (use !== "read" && (use.asks ?? asksSomething)(body[member]))
      throw new FieldRefusal(member, `${member} is not supported: ${use.hint}`);
}
