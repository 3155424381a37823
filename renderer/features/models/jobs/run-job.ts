import { ConsoleError } from "../../../api/http/console-error.ts";
import type { ModelClient } from "../../../../server/contract/model/model-client.ts";
import { digestOf } from "./digest.ts";
import type { JobStep, JobRequest } from "./model-jobs.ts";
import { progressOf } from "./progress-of.ts";

/** Runs a job at the model service. */
export const runModelJob =
  (client: ModelClient) =>
  (options: JobRequest, signal: AbortSignal): AsyncIterable<JobStep> => {
    switch (options.kind) {
      case "pull":
        return client.pull({ model: options.model, insecure: options.insecure }, signal);
      case "create":
        return client.create({ model: options.model, modelfile: options.modelfile }, signal);
      case "file":
        return createFromFile(client, options, signal);
      case "load":
        return client.load(options, signal);
    }
  };

const badRequest = 400;

async function* createFromFile(
  client: ModelClient,
  { model, file }: Extract<JobRequest, { kind: "file" }>,
  signal: AbortSignal,
): AsyncGenerator<JobStep> {
  await refuseBadName(client, model, signal);
  const stepAt = (completed: number) => ({ status: "", digest: file.name, total: file.size, completed });
  yield { phase: "reading" };
  yield stepAt(0);
  const digest = yield* progressOf((report) => digestOf(file, signal, (read) => report(stepAt(read))));
  if (!(await client.hasBlob(digest, signal))) {
    yield { phase: "sending" };
    yield stepAt(0);
    yield* progressOf((onProgress) => client.sendBlob(file, digest, signal, (sent) => onProgress(stepAt(sent))));
  }
  yield { phase: undefined };
  yield* client.create({ model, files: { [file.name]: digest } }, signal);
}

/** Checks the name first, because an invalid one should be refused before gigabytes are sent. */
async function refuseBadName(client: ModelClient, model: string, signal: AbortSignal): Promise<void> {
  await client.show(model, signal).catch((error: unknown) => {
    if (signal.aborted || (error instanceof ConsoleError && error.status === badRequest)) throw error;
  });
}
