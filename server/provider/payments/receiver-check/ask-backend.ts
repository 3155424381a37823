/** Sends requests to the checked backend, on behalf of the user who started the check. */
import type { Asker } from "../../../http/outgoing/asker.ts";
import { fetchFor, type FetchedReply, type FetchOptions } from "../../../http/outgoing/fetch-for.ts";
import type { OutgoingRequests } from "../../../http/outgoing/outgoing-requests.ts";
import { reasonFor } from "../../../http/outgoing/reason-for.ts";

type BackendReply =
  /** `quoted`: the start of the reply, if that user may read it. */
  (FetchedReply & { readonly quoted: string | undefined }) | { readonly failure: string };

export type AskBackend = (url: string, options: FetchOptions) => Promise<BackendReply>;

const maxCharacters = 200;

export const createAskBackend =
  (outgoing: Pick<OutgoingRequests, "begin">, asker: Asker): AskBackend =>
  async (url, options) => {
    try {
      const reply = await fetchFor(outgoing, asker, url, options);
      return { ...reply, quoted: asker === "here" ? `: ${reply.text.slice(0, maxCharacters)}` : undefined };
    } catch (error) {
      return { failure: reasonFor(asker, error) };
    }
  };
