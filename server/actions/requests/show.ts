import { z } from "zod";
import { getRequest, listRequests, replayRequest } from "../../contract/console/traffic/request-endpoints.ts";
import { recordedRequestSchema } from "../../contract/console/traffic/requests.ts";
import { argument, text } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { ActionError } from "../action-error.ts";
import type { HearthApi } from "../hearth-api.ts";
import { printRequest } from "./request-text.ts";

const requestArgument = (verb: string) =>
  argument(
    "REQUEST",
    "number of a recorded request, or last",
    `${verb} needs a request: its number, or last; \`hearth requests\` lists them`,
  );

/** @throws ActionError for anything but a number or `last`, or without requests */
async function requestId(hearth: HearthApi, named: string): Promise<number> {
  if (/^\d{1,15}$/.test(named)) return Number(named);
  if (named !== "last")
    throw new ActionError(`${named} is not the number of a request; \`hearth requests\` lists them.`, { exitCode: 2 });
  const { requests } = await hearth.call(listRequests, { query: { limit: "1" } });
  if (requests[0] === undefined) throw new ActionError("No requests are recorded yet.");
  return requests[0].id;
}

export const show = action({
  name: "show",
  group: "Traffic",
  summary: "show a recorded request with headers and bodies",
  input: z.object({ request: requestArgument("show") }),
  output: recordedRequestSchema,
  effect: "reads",
  run: async (hearth, { request }, signal) =>
    hearth.call(getRequest, { params: { id: await requestId(hearth, request) }, signal }),
  print: printRequest,
});

export const replay = action({
  name: "replay",
  group: "Traffic",
  summary: "send a recorded request again, with fresh tokens, and show the new one",
  input: z.object({ request: requestArgument("replay"), body: text("TEXT", "body instead of the recorded one") }),
  output: recordedRequestSchema,
  effect: "changes",
  run: async (hearth, { request, body }, signal) =>
    hearth.call(replayRequest, { params: { id: await requestId(hearth, request) }, body: { body }, signal }),
  print: printRequest,
});
