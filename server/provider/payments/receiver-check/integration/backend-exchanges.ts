/** Records what a check asked of the backend, and what it answered. */
import type { CheckedExchange } from "../../../../contract/provider/checks/receiver-checks.ts";
import type { AskBackend } from "../ask-backend.ts";

const maxRequestCharacters = 500;

export interface BackendExchanges {
  readonly ask: AskBackend;
  /** The exchanges since the last call. Of equal requests in a row only the last one: a check polls. */
  take(): CheckedExchange[];
  /** Whether a reply contained a secret. */
  readonly hasLeaked: boolean;
}

/** @param secrets keys of the merchant */
export function createBackendExchanges(ask: AskBackend, secrets: readonly string[]): BackendExchanges {
  let taken: CheckedExchange[] = [];
  let hasLeaked = false;
  const isSecret = (text: string) =>
    /-----BEGIN (?:RSA )?PRIVATE KEY-----/.test(text) || secrets.some((secret) => text.includes(secret));
  return {
    async ask(url, options) {
      const answer = await ask(url, options);
      hasLeaked ||= "text" in answer && isSecret(answer.text);
      const sent = [options.method ?? "GET", url, options.body].filter((part) => part !== undefined).join(" ");
      const request = sent.slice(0, maxRequestCharacters);
      if (taken.at(-1)?.request === request) taken.pop();
      taken.push({
        request,
        ...("failure" in answer
          ? { status: 0, reply: answer.failure }
          : { status: answer.status, reply: answer.quoted?.replace(/^: /, "") ?? "" }),
      });
      return answer;
    },
    take() {
      const exchanges = taken;
      taken = [];
      return exchanges;
    },
    get hasLeaked() {
      return hasLeaked;
    },
  };
}
