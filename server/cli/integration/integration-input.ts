/** The input of `hearth check-integration`. */
import { z } from "zod";
import { checkLanguage } from "../../contract/provider/checks/check-language.ts";
import {
  optionalArgument,
  optionalCommand,
  optionalText,
  text,
  texts,
  toggle,
  value,
} from "../../process/command-line/inputs.ts";

export const integrationInput = z
  .object({
    file: optionalArgument("FILE", "the description of the backend; default: hearth.integration.yaml"),
    only: texts("ROW", "run only this row; repeatable"),
    list: toggle("print the rows, one on each line, and exit"),
    language: value(checkLanguage.default("en"), "en|zh", "language of the report"),
    junit: text("FILE", "also write the report as JUnit XML"),
    json: optionalText("FILE", "also write the report as JSON; without FILE, print only this JSON"),
    provider_url: text("URL", "simulator of a running Hearth"),
    ready_file: text("FILE", "ready file of a running Hearth"),
    data_dir: text("DIR", "data directory of a running Hearth"),
    command: optionalCommand("COMMAND", "starts the backend, next to a Hearth of its own, for the time of the check"),
  })
  .describe(
    `Tries what the platform asks of a merchant before going live: placing, paying, refunding, closing and reconciling. \
It also sends all that check-receiver sends.

FILE says how to place, look up and refund an order in your backend. The guide “Check your integration” explains it.

With COMMAND, the check starts a Hearth on free ports and the backend. The backend finds the simulator in HEARTH_PROVIDER_URL. \
Without COMMAND, the backend runs already and uses the running Hearth.

Exit code: 0 all judged rows passed, 1 a row failed or none was judged, 2 bad input, 130 cancelled.`,
  );

export type IntegrationInput = z.output<typeof integrationInput>;
