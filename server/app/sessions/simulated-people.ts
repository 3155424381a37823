import { z } from "zod";
import { byConsoleHeader } from "../../contract/console/by-console.ts";
import { callService } from "../../http/outgoing/call-service.ts";
import { simUserSchema } from "../../contract/provider/provider.ts";

const personSchema = simUserSchema.pick({ name: true, openid: true });
const timeoutMs = 5_000;

/** The names of the simulator's people by openid, which tell users apart in the console. */
export class SimulatedPeople {
  readonly #url: string;
  #names: ReadonlyMap<string, string> = new Map();

  /** @param url the simulator's base URL */
  constructor(url: string) {
    this.#url = url;
  }

  /** The openid of that person, existing or not; undefined while the simulator does not answer. */
  async openidOf(name: string): Promise<string | undefined> {
    try {
      return personSchema.parse(await this.#call("GET", name)).openid;
    } catch {
      return undefined;
    }
  }

  /** Removes the person. */
  async remove(name: string): Promise<void> {
    await this.#call("DELETE", name);
    await this.read();
  }

  /** Names by openid; none while the simulator does not answer. */
  async read(): Promise<ReadonlyMap<string, string>> {
    try {
      const people = z.array(personSchema).parse(await this.#call("GET"));
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

  /** @param name none: all people */
  async #call(method: "GET" | "DELETE", name = ""): Promise<unknown> {
    const { text } = await callService(`${this.#url}/sim/users${name === "" ? "" : `/${encodeURIComponent(name)}`}`, {
      method,
      headers: { [byConsoleHeader]: "1" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    return text === "" ? undefined : JSON.parse(text);
  }
}
