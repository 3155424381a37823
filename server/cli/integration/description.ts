/** Reads hearth.integration.yaml. */
import { readFileSync, statSync } from "node:fs";
import { LineCounter, parseDocument } from "yaml";
import {
  describedMember,
  describedRequest,
  descriptionSchema,
} from "../../contract/provider/checks/integration-description.ts";
import { receiverCheckInputSchema, type ReceiverCheckRequest } from "../../contract/provider/checks/receiver-checks.ts";
import { plainProblem } from "../../process/settings/plain-problem.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";

const mostBytes = 256 * 1024;

function textOf(file: string): string {
  try {
    if (statSync(file).size > mostBytes) throw new Error(`it has more than ${String(mostBytes / 1024)} KiB`);
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new SettingsError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

export interface Backend {
  /** Its base URL. */
  readonly url: string;
  readonly request: ReceiverCheckRequest;
}

/** @throws SettingsError naming the file, the line and the member */
export function readDescription(file: string, env: NodeJS.ProcessEnv): Backend {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines });
  const refuse = (place: string, problem: string): never => {
    throw new SettingsError(`${file}: ${place}${problem}`);
  };
  const [broken] = document.errors;
  if (broken) refuse(`line ${String(broken.linePos?.[0].line ?? 1)}: `, broken.message.split("\n")[0] ?? "");
  const read = descriptionSchema.safeParse(document.toJS({ maxAliasCount: 100 }), { error: plainProblem });
  if (!read.success) {
    const { path: at = [], message = "" } = read.error.issues[0] ?? {};
    return refuse(at.length > 0 ? `${at.join(".")} ` : "the description ", message);
  }
  const request = describedRequest(read.data, (name) => {
    const value = env[name];
    if (value === undefined) throw new SettingsError(`${file}: a header names the variable ${name}, which is not set`);
    return value;
  });
  const checked = receiverCheckInputSchema.safeParse(request, { error: plainProblem });
  const [issue] = checked.error?.issues ?? [];
  if (issue) refuse(`${describedMember(issue.path.map(String))} `, issue.message);
  return { url: read.data.backend, request };
}
