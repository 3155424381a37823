import { dirname, join } from "node:path";
import type { EndpointSpec } from "../../contract/endpoint.ts";
import type { Bounds } from "../../file-system/bounded-file.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { ImportedApis } from "./imported-apis.ts";
import type { GenerateExample } from "./make-answer.ts";

interface Ports {
  /** The folder of the collections. The documents lie beside it. */
  readonly collectionsFolder: string;
  readonly bounds: Bounds;
  /** Operations that take precedence. */
  readonly builtIn: readonly EndpointSpec[];
  readonly loadGenerator: () => Promise<GenerateExample>;
}

/** APIs that the user has imported as OpenAPI documents. */
export const importedFeature: Feature<EventKernel<object>, Ports, ImportedApis> = {
  name: "imported",
  open({ log, atClose }, { collectionsFolder, ...ports }) {
    const apis = new ImportedApis({ ...ports, log, folder: join(dirname(collectionsFolder), "apis") });
    atClose(() => apis.close());
    return { port: apis };
  },
};
