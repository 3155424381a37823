/** The commands of the guides by a checkout whose reader has Node 20, which hands them to the Node of the checkout. */
import { join } from "node:path";
import { describe } from "vitest";
import { fromCheckout, node20 } from "./installed-commands.ts";
import { guidesThatRun } from "./read-blocks.ts";
import { testCommandsOf } from "./test-commands.ts";

describe.skipIf(node20 === undefined)("from the checkout, by Node 20", () =>
  testCommandsOf(guidesThatRun, () => ({ ...fromCheckout, node: join(node20 ?? "", "node") })),
);
