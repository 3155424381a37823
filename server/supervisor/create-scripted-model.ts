import { createHash } from "node:crypto";
import { basename } from "node:path";
import { RunError } from "./run-error.ts";

/** The rules of a model: the content of a file, in YAML or JSON, and the file's name for messages. */
export interface RulesText {
  readonly text: string | Buffer<ArrayBuffer>;
  readonly file: string;
}

/**
 * Creates a model that answers by rules, or replaces it.
 * @param url the model service
 * @throws RunError with the line of a rule that is not valid
 */
export async function createScriptedModel(url: string, model: string, { text, file }: RulesText): Promise<void> {
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  async function post(path: string, body: RulesText["text"]): Promise<void> {
    const reply = await fetch(url + path, { method: "POST", body });
    if (reply.ok) return;
    const { error = reply.statusText } = (await reply.json()) as { error?: string };
    throw new RunError(`the model ${JSON.stringify(model)}: ${error}`);
  }
  await post(`/api/blobs/${digest}`, text);
  await post("/api/create", JSON.stringify({ model, files: { [basename(file)]: digest }, stream: false }));
}
