/** The form of an action: data from which a command of the command line and a tool of MCP are made. */
import type { z } from "zod";
import type { Input } from "../process/command-line/parse-input.ts";
import type { HearthApi } from "./hearth-api.ts";

export interface HearthAction<In extends Input = Input, Out extends z.ZodType = z.ZodType> {
  /** The words after `hearth`: `pay`, `fault arm`. The words of a family's default are `… list` or `… show`. */
  readonly name: string;
  /** The heading in the general help. */
  readonly group: "Payments" | "Traffic" | "State";
  /** One sentence, without a dot. */
  readonly summary: string;
  /** Made with the helpers of the commands' inputs, without `data_dir`. */
  readonly input: In;
  /** The JSON value of `--json`, and the result of the tool. */
  readonly output: Out;
  readonly effect: "reads" | "changes" | "removes";
  /** @throws ActionError with the reason and the remedy */
  run(hearth: HearthApi, input: z.output<In>, signal: AbortSignal): Promise<z.output<Out>>;
  /** The following items of an output that is a list, as they come: what `--follow` prints after `run`. */
  follow?(hearth: HearthApi, input: z.output<In>, signal: AbortSignal): AsyncIterable<z.output<Out>>;
  /** The output for people, in lines. */
  print(output: z.output<Out>): string;
  /** 0 unless the output reports a failure. */
  exitCode?(output: z.output<Out>): number;
}

/** A row of the table, whose functions match its schemas. */
export const action = <In extends Input, Out extends z.ZodType>(row: HearthAction<In, Out>): HearthAction<In, Out> =>
  row;
