import { z } from "zod";
import { createToken } from "../../contract/console/console-endpoints.ts";
import { dataDocument } from "../../contract/console/data/data-transfer.ts";
import { mergeData } from "../../contract/console/data/data-endpoints.ts";
import { endpoint } from "../../contract/endpoint.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { fileArgument, value } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { ActionError } from "../action-error.ts";
import type { HearthApi } from "../hearth-api.ts";

const itemsSchema = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));

const createItem = endpoint({
  id: "createSeed",
  tag: "data",
  method: "POST",
  path: "/api/{collection}",
  access: "login",
  status: 201,
  params: z.object({ collection: z.string() }),
  body: z.record(z.string(), z.unknown()),
});

/** Creates the items as a client would, in the file's order. */
async function createItems(hearth: HearthApi, items: z.output<typeof itemsSchema>, user: string, signal: AbortSignal) {
  const { access_token: token } = await hearth.call(createToken, { body: { user }, signal });
  let records = 0;
  for (const [collection, rows] of Object.entries(items))
    for (const body of rows) {
      await hearth.call(createItem, { params: { collection }, body, token, signal }).catch((error: Error) => {
        throw new ActionError(`Item ${String(records + 1)} (${collection}): ${error.message}`);
      });
      records++;
    }
  return { collections: Object.keys(items).length, records };
}

export const seed = action({
  name: "seed",
  group: "Faults and data",
  summary: "add the items of a JSON file to the collections",
  input: z
    .object({
      document: fileArgument("JSON file; - reads stdin", "seed needs a file"),
      user: value(z.string().min(1).default("test"), "USER", "simulated user who creates the items; default: test"),
    })
    .describe(
      `The file has items by collection, such as {"articles": [{"title": "Tea"}]}, or is an export of GET /console/api/data, whose \
records keep their ids and owners.`,
    ),
  output: z.object({ collections: z.int(), records: z.int() }),
  effect: "changes",
  async run(hearth, { document, user }, signal) {
    const content = parseJson(document);
    const exported = dataDocument.safeParse(content).data;
    if (exported) return hearth.call(mergeData, { body: exported, signal });
    const items = itemsSchema.safeParse(content).data;
    if (items) return createItems(hearth, items, user, signal);
    throw new ActionError(
      'The file must contain JSON like {"articles": [{"title": "Tea"}]}, or an export of the data.',
      {
        exitCode: 2,
      },
    );
  },
  print: ({ records }) => (records === 1 ? "Added 1 item." : `Added ${String(records)} items.`),
});
