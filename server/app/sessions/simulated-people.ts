import { z } from "zod";
import { byConsoleHeader } from "../../contract/console/by-console.ts";
import { callService } from "../../http/outgoing/call-service.ts";
import { simUserSchema } from "../../contract/provider/provider.ts";

const peopleSchema = z.array(simUserSchema.pick({ name: true, openid: true }));
const timeoutMs = 5_000;

/** The names of the simulator's people by openid, which tell users apart in the console. */
export class SimulatedPeople {
  readonly #url: string;
  #names: ReadonlyMap<string, string> = new Map();

  /** @param url the simulator's base URL */
  constructor(url: string) {
    this.#url = url;
  }

  /** Names by openid; none while the simulator does not answer. */
  async read(): Promise<ReadonlyMap<string, string>> {
    try {
      const { text } = await callService(`${this.#url}/sim/users`, {
        headers: { [byConsoleHeader]: "1" },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const people = peopleSchema.parse(JSON.parse(text));
      return (this.#names = new Map(people.map(({ name, openid }) => [openid, name])));
    } catch {
      return new Map();
    }
  }

  /** Makes `nameOf` know this person. */
  async learn(openid: string): Promise<void> {
    if (!this.#names.has(openid)) await this.read();
  }

  /** The name as it was last read. */
  nameOf(openid: string): string | undefined {
    return this.#names.get(openid);
  }
}
