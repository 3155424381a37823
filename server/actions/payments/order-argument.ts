import { argument } from "../../process/command-line/inputs.ts";

/** @param verb names the command in the message for a missing order */
export const orderArgument = (verb: string) =>
  argument(
    "ORDER",
    "number or id of an order, the beginning of its number, or last",
    `${verb} needs an order: its number, or last; \`hearth orders\` lists them`,
  );
