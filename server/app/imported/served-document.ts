/** A document whose operations answer requests. Imported only when there is a document. */
import type { IncomingMessage } from "node:http";
import type { SchemaObject } from "../../json-schema/json-schema.ts";
import { HttpError } from "../../http/http-error.ts";
import { checkRequest } from "./check-request.ts";
import { makeAnswer, NoAnswer, type GenerateExample, type MadeAnswer } from "./make-answer.ts";
import { withModernSchemas } from "./modern-schemas.ts";
import { createOperationTable } from "./operation-table.ts";
import { operationsOf, type ImportedOperation } from "./operations.ts";
import { readDocument } from "./read-document.ts";
import { createJudge, type SchemaJudge } from "./schema-judge.ts";

/** A document for one direction: its schemas for what clients send, or for what they get. */
interface Direction {
  readonly judge: SchemaJudge;
  readonly operations: readonly ImportedOperation[];
}

export interface ServedOperation {
  readonly method: string;
  readonly path: string;
  /** @throws HttpError 400 or 415 for an invalid request, 501 where no valid answer was found */
  readonly answer: (req: IncomingMessage, params: Readonly<Record<string, string>>) => Promise<MadeAnswer>;
}

/** Answers that an operation keeps, by Accept. */
const mostKept = 20;

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function directionOf(document: SchemaObject, isSent: boolean): Direction {
  const modern = withModernSchemas(document, isSent);
  return { judge: createJudge(modern), operations: operationsOf(modern).operations };
}

/** Both directions are read at the first call. @throws DocumentProblem */
export async function openDocument(
  text: string,
  loadGenerator: () => Promise<GenerateExample>,
): Promise<ServedOperation[]> {
  const document = await readDocument(text);
  const sent = once(() => directionOf(document, true));
  const answered = once(() => directionOf(document, false));
  return operationsOf(document).operations.map(({ method, path }, index) => {
    const made = new Map<string, MadeAnswer>();
    const name = `${method} ${path}`;
    const within = ({ judge, operations }: Direction) => {
      const operation = operations[index];
      if (!operation) throw new Error(`${name} is missing in its own document`);
      return { judge, operation };
    };
    async function make(accept: string): Promise<MadeAnswer> {
      const { judge, operation } = within(answered());
      const generate = await loadGenerator();
      try {
        return makeAnswer(operation, judge, generate, accept);
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        throw new HttpError(501, "no_valid_answer", `${name}: ${error.message}.`);
      }
    }
    return {
      method,
      path,
      async answer(req, params) {
        const { judge, operation } = within(sent());
        await checkRequest(req, params, operation, judge);
        const { accept = "" } = req.headers;
        const answer = made.get(accept) ?? (await make(accept));
        if (made.size < mostKept) made.set(accept, answer);
        return answer;
      },
    };
  });
}

export const tableOf = (operations: readonly ServedOperation[]) =>
  createOperationTable(operations.map((served) => [served, served] as const));
