/** The input of `hearth init`. */
import { z } from "zod";
import { optionalArgument } from "../../process/command-line/inputs.ts";

export const initInput = z
  .object({ dir: optionalArgument("DIR", "the project's folder; default: the working directory") })
  .describe(
    `Writes hearth.config.json, .hearth/.gitignore, collections/notes.json, test/hearth.test.js and AGENTS.md into the project. \
Existing files are kept. The command asks no questions and installs nothing.`,
  );

export type InitInput = z.output<typeof initInput>;
