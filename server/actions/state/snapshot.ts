/** Snapshots: states of the data, saved under a name. */
import { z } from "zod";
import {
  deleteFixture,
  listFixtures,
  loadFixture,
  saveFixture,
} from "../../contract/console/control/control-endpoints.ts";
import { fixtureName, fixtureSchema, type Fixture } from "../../contract/console/control/control.ts";
import { valueArgument } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { alignColumns } from "../text-columns.ts";

const lineOf = ({ name, saved_at, rows }: Fixture) => [
  name,
  saved_at,
  Object.entries(rows)
    .map(([part, count]) => `${String(count)} ${part}`)
    .join(", "),
];
const nameInput = z.object({ name: valueArgument(fixtureName, "NAME", "name of the snapshot") });
const group = "Faults and data";

export const snapshotList = action({
  name: "snapshot list",
  group,
  summary: "list, save and restore snapshots of the data",
  input: z.object({}),
  output: z.array(fixtureSchema),
  effect: "reads",
  run: async (hearth, _, signal) => (await hearth.call(listFixtures, { signal })).fixtures,
  print: (fixtures) =>
    fixtures.length === 0
      ? "No snapshots. Save one with `hearth snapshot save NAME`."
      : alignColumns(fixtures.map(lineOf)),
});

export const snapshotSave = action({
  name: "snapshot save",
  group,
  summary: "save the data under a name; a snapshot of this name is replaced",
  input: nameInput,
  output: fixtureSchema,
  effect: "changes",
  run: (hearth, { name }, signal) => hearth.call(saveFixture, { params: { name }, body: {}, signal }),
  print: (fixture) => `Saved ${lineOf(fixture).join("  ")}`,
});

export const snapshotRestore = action({
  name: "snapshot restore",
  group,
  summary: "replace the data with a snapshot",
  input: nameInput,
  output: fixtureSchema,
  effect: "removes",
  run: (hearth, { name }, signal) => hearth.call(loadFixture, { params: { name }, signal }),
  print: (fixture) => `Restored ${lineOf(fixture).join("  ")}`,
});

export const snapshotRemove = action({
  name: "snapshot remove",
  group,
  summary: "remove a snapshot",
  input: nameInput,
  output: z.object({ name: z.string() }),
  effect: "removes",
  async run(hearth, { name }, signal) {
    await hearth.call(deleteFixture, { params: { name }, signal });
    return { name };
  },
  print: ({ name }) => `Removed ${name}.`,
});
