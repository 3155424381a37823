import { percentDecoded } from "../../contract/percent-decoded.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

/** The fields of the current collections that recorded requests must hide. */
export const secretFieldsOf = (definitions: () => readonly ResourceDefinition[]) => ({
  names: () => definitions().flatMap(({ secrets }) => secrets?.names ?? []),
  /** Whether every field that is sent to a path may be secret. */
  isAnySecret(path: string): boolean {
    const segments = percentDecoded(path).toLowerCase().split("/");
    return definitions().some(({ name, secrets }) => secrets?.hasUnnamed && segments.includes(name));
  },
});
