/** Makes the tools from the table of actions. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { HearthAction } from "../actions/action.ts";
import { HearthApi, type HearthAddresses } from "../actions/hearth-api.ts";
import { inputForms } from "../process/command-line/inputs.ts";
import { fitResult } from "./fit-result.ts";
import { maskSecrets } from "./mask-secrets.ts";
import type { McpTool } from "./mcp-content.ts";

/** The characters of the text beside the structured content. */
const maxTextLength = 4_000;

/** Finds the running Hearth, anew for each call. @throws Error that says how to start one */
export type Locate = () => Promise<HearthAddresses>;

const cursorInput = z
  .string()
  .optional()
  .describe("The next_cursor of the last result of the same call, for the next part.");

const pageMembers = {
  next_cursor: z.string().optional().describe("Cursor of the next part: call again with it."),
  note: z.string().optional().describe("Omitted parts, and how to get them."),
};

const capitalised = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());

/** The members of the input. A file's text takes the place of its path, which another machine could not read. */
const membersOf = ({ input }: HearthAction) =>
  Object.fromEntries(
    Object.entries(input.shape).map(([name, schema]) => {
      const isFile = inputForms.get(schema)?.isFile === true;
      return [name, isFile ? schema.describe("The text of the file.") : schema];
    }),
  );

const annotationsOf = ({ effect }: HearthAction) => ({
  readOnlyHint: effect === "reads",
  destructiveHint: effect === "removes",
  idempotentHint: effect !== "changes",
  openWorldHint: false,
});

/** One tool for each action; only those that read for a read-only server. */
export const actionTools = (actions: readonly HearthAction[], locate: Locate, isReadOnly: boolean): McpTool[] =>
  actions.filter(({ effect }) => effect === "reads" || !isReadOnly).map((action) => actionTool(action, locate));

export function actionTool(action: HearthAction, locate: Locate): McpTool {
  const { name, summary, input, output, effect } = action;
  const title = capitalised(summary);
  return {
    name: name.replaceAll(/[ -]/g, "_"),
    title,
    description: [`${title}.`, ...(input.description === undefined ? [] : [input.description])].join(" "),
    // A page of the same result needs the same call, which only reading may repeat.
    input: z.strictObject({ ...membersOf(action), ...(effect === "reads" && { cursor: cursorInput }) }),
    output: z.object({ result: output, ...pageMembers }),
    annotations: { title, ...annotationsOf(action) },
    async call({ cursor, ...values }, { signal }) {
      const secrets: string[] = [];
      try {
        const addresses = await locate();
        secrets.push(addresses.consoleToken);
        const hearth = new HearthApi(async () => addresses);
        const result = action.output.parse(await action.run(hearth, values, signal));
        return resultOf(action, maskSecrets(result, secrets), cursor as string | undefined);
      } catch (error) {
        if (signal.aborted) throw error;
        throw new Error(maskSecrets((error as Error).message, secrets), { cause: error });
      }
    },
  };
}

/** @param result without secrets */
function resultOf(action: HearthAction, result: unknown, cursor: string | undefined): CallToolResult {
  const { value, next, note } = fitResult(result, cursor);
  const page = { ...(next !== undefined && { next_cursor: next }), ...(note !== undefined && { note }) };
  const texts = [
    shorten(maskSecrets(action.print(value))),
    ...(note === undefined ? [] : [`${note} next_cursor: ${String(next)}`]),
  ];
  return {
    content: texts.map((text) => ({ type: "text", text })),
    structuredContent: { result: value, ...page },
  };
}

/** The structured content has all of it. */
const shorten = (text: string) => (text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}…`);
