import type { z } from "zod";
import { resourceEndpoints, type ResourceShape } from "../../contract/app/resources.ts";

/** A collection: its schema and its access rules. */
export interface ResourceDefinition extends ResourceShape {
  /** A boolean field that hides an item from everybody but its owner. */
  readonly privateField?: string;
  /** Only the owner may change or delete an item. */
  readonly ownerOnly: boolean;
  /** Fields that `q` searches. */
  readonly searchFields: readonly string[];
  /** Fields that the server writes. Clients cannot change them. */
  readonly serverFields: readonly string[];
  /** Fields whose value no two items may share. */
  readonly uniqueFields: readonly string[];
  /** Turns a client's input into the stored form, for example a password into its hash. */
  readonly beforeStore?: (data: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
  /** Only the owner may see an item at all. */
  readonly ownerSeesOnly?: boolean;
  /** Fields that are stored but never sent (spec: Generic REST conventions 2). */
  readonly secretFields: readonly string[];
  /** Removes secret members that `output` passes through because it does not know them. */
  readonly hide?: (data: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** The stored form, where it differs from that of `input`. Imported records must match it. */
  readonly stored?: z.ZodType;
}

/** Owner of items that no user created: those from a schema file, and those of collections without a login. */
export const nobody = 0;

/** The owner as clients see it; empty where there is none. */
export const ownerUid = (ownerId: number) => (ownerId === nobody ? "" : `u${String(ownerId)}`);

export const endpointsOf = (definition: ResourceDefinition) => resourceEndpoints(definition);
