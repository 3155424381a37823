import type { Reply } from "./request.ts";
import { until } from "./until.ts";

/**
 * For who looks at what is stored: asks until the server is able to answer. That it is not, on a busy machine, says nothing
 * of what is there.
 */
export const patiently =
  <Sent extends readonly unknown[]>(ask: (...sent: Sent) => Promise<Reply>) =>
  (...sent: Sent): Promise<Reply> =>
    until("an answer", async () => {
      const reply = await ask(...sent);
      return reply.status < 500 ? reply : undefined;
    });
