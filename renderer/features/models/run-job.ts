import { ConsoleError } from "../../api/console-error.ts";
import type { ModelClient } from "../../api/model-client.ts";
import { digestOf } from "./digest.ts";
import type { JobStep, JobWish } from "./model-jobs.ts";
import { tellingOf } from "./telling.ts";

/** Asks the model service for what a job is about. */
export const runModelJob =
  (client: ModelClient) =>
  (wish: JobWish, signal: AbortSignal): AsyncIterable<JobStep> => {
    switch (wish.kind) {
      case "pull":
        return client.pull({ model: wish.model, insecure: wish.insecure }, signal);
      case "create":
        return client.create({ model: wish.model, modelfile: wish.modelfile }, signal);
      case "file":
        return createFromFile(client, wish, signal);
      case "load":
        return client.load(wish, signal);
    }
  };

const badRequest = 400;

async function* createFromFile(
  client: ModelClient,
  { model, file }: Extract<JobWish, { kind: "file" }>,
  signal: AbortSignal,
): AsyncGenerator<JobStep> {
  await refuseBadName(client, model, signal);
  const progressOf = (completed: number) => ({ status: "", digest: file.name, total: file.size, completed });
  yield { phase: "reading" };
  yield progressOf(0);
  const digest = yield* tellingOf((tell) => digestOf(file, signal, (read) => tell(progressOf(read))));
  if (!(await client.hasBlob(digest, signal))) {
    yield { phase: "sending" };
    yield progressOf(0);
    yield* tellingOf((tell) => client.sendBlob(file, digest, signal, (sent) => tell(progressOf(sent))));
  }
  yield { phase: undefined };
  yield* client.create({ model, files: { [file.name]: digest } }, signal);
}

/** A name that the service does not take is better refused before gigabytes are sent than after. */
async function refuseBadName(client: ModelClient, model: string, signal: AbortSignal): Promise<void> {
  await client.show(model, signal).catch((error: unknown) => {
    if (signal.aborted || (error instanceof ConsoleError && error.status === badRequest)) throw error;
  });
}
