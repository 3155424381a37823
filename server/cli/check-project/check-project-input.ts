/** The input of `hearth check-project`. */
import { z } from "zod";
import { argument, toggle } from "../../process/command-line/inputs.ts";

export const checkProjectInput = z
  .object({
    dir: argument(
      "DIR",
      "the program's folder",
      "check-project needs the folder of a program: hearth check-project DIR",
    ),
    json: toggle("print one JSON array of { method, path, product, class, missing?, place }"),
  })
  .describe(
    `Reads a program's sources and lists the platform's operations that it calls. Languages: JavaScript, TypeScript, Java, Go, PHP and \
Python. The command searches for addresses and for methods of well-known SDKs. It runs nothing, follows no links and skips tests and installed \
packages.`,
  );

export type CheckProjectInput = z.output<typeof checkProjectInput>;
