import fc from "fast-check";
import { expect, it } from "vitest";
import { readCollection } from "../../../server/app/collections/read-collection.ts";
import { createSchemaCompiler } from "../../../server/app/collections/schema/compile-schema.ts";
import { textSchemaOf } from "../../../server/http/formats/coerce-text.ts";
import { readXml } from "../../../server/http/formats/read-xml.ts";
import { settledReading } from "../../../server/http/formats/reading.ts";
import { writeXml } from "../../../server/http/formats/xml-writer.ts";
import { fuzzSeed } from "../../support/fuzz-seed.ts";
import { itemsOfSchemas } from "../../support/app/items-of-schemas.ts";

const compile = createSchemaCompiler(5_000);

it("an item is the same after it was stored, answered as XML and read again, whatever its schema", async () => {
  await fc.assert(
    fc.asyncProperty(itemsOfSchemas, fc.boolean(), async ({ item, schema }, relaxed) => {
      const { definition } = await readCollection("trips", JSON.stringify(schema), compile);
      const stored: unknown = definition.input.parse(structuredClone(item));
      const answered: unknown = definition.output.parse(stored);
      const xml = writeXml(answered, { relaxed }, textSchemaOf(definition.input));
      const read = settledReading(readXml(xml, definition.input), definition.input);
      expect({ stored: definition.input.parse(structuredClone(read)), read, xml }).toEqual({
        stored,
        read: stored,
        xml,
      });
    }),
    { numRuns: 300, seed: fuzzSeed },
  );
});
