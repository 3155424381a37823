import type { McpResource } from "../mcp-content.ts";
import { textResources } from "./text-parts.ts";

/** The platform's operations, and how far each is simulated. */
export const fidelityResources = (): McpResource[] =>
  textResources({
    name: "fidelity",
    uri: "hearth://fidelity",
    title: "Simulated operations of the platform",
    description: "Each published operation of the platform: exact, partial with what is missing, or not_simulated.",
    mimeType: "text/plain",
    async readText() {
      const { operationsOfProduct, viewOperation } =
        await import("../../contract/provider/operations/published-operations.ts");
      return operationsOfProduct("")
        .map(viewOperation)
        .map(({ class: name, method, path, product, missing = [] }) =>
          `${name} ${method} ${path} (${product}) ${missing.join("; ")}`.trimEnd(),
        )
        .join("\n");
    },
  });
