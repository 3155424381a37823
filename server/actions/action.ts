/** The form of an action: data from which a command of the command line and a tool of MCP are made. */
import type { z } from "zod";
import type { Input } from "../process/command-line/parse-input.ts";
import type { HearthApi } from "./hearth-api.ts";

export interface HearthAction<In extends Input = Input, Out extends z.ZodType = z.ZodType> {
  /** The words after `hearth`: `pay`, `fault arm`. The first word of a family alone names its first action. */
  readonly name: string;
  /** The heading in the general help. */
  readonly group: "Use the running Hearth" | "Payments" | "Traffic" | "Faults and data" | "Develop against Hearth";
  /** One sentence, without a dot. */
  readonly summary: string;
  /** Made with the helpers of the commands' inputs, without `data_dir`. */
  readonly input: In;
  /** The JSON value of `--json`, and the result of the tool. */
  readonly output: Out;
  readonly effect: "reads" | "changes" | "removes";
  /** The command line has a command of this name with more flags, whose `--json` prints the same output. */
  readonly hasOwnCommand?: true;
  /** @throws ActionError with the reason and the remedy */
  run(hearth: HearthApi, input: z.output<In>, signal: AbortSignal): Promise<z.output<Out>>;
  /**
   * The items that follow a list, as they come, for `--follow`. @param listed the output of `run`
   */
  follow?(
    this: void,
    hearth: HearthApi,
    input: z.output<In>,
    signal: AbortSignal,
    listed: z.output<Out>,
  ): AsyncIterable<z.output<Out>>;
  /** The output for people, in lines. */
  print(output: z.output<Out>): string;
}

/** A row of the table, whose functions match its schemas. */
export const action = <In extends Input, Out extends z.ZodType>(row: HearthAction<In, Out>): HearthAction<In, Out> =>
  row;
