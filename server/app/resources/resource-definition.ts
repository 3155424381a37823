import type { z } from "zod";
import { resourceEndpoints, type ResourceShape } from "../../contract/app/resources.ts";

/** One collection: its shape, and who may do what. */
export interface ResourceDefinition extends ResourceShape {
  /** A boolean field that hides an item from everybody but its owner. */
  readonly privateField?: string;
  /** Only the owner may change or delete an item. */
  readonly ownerOnly: boolean;
  /** Fields that `q` looks into. */
  readonly searchFields: readonly string[];
  /** Fields that the server itself writes: a change by a client leaves them as they are. */
  readonly serverFields: readonly string[];
  /** Fields whose value no two items may share. */
  readonly uniqueFields: readonly string[];
  /** Turns what a client sent into what is stored, for example a password into its hash. */
  readonly beforeStore?: (data: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
  /** Only the owner may see an item at all. */
  readonly ownerSeesOnly?: boolean;
  /** Fields that are stored but never answered (spec: Generic REST conventions 2). */
  readonly secretFields: readonly string[];
  /** Takes away what `output` alone cannot: members that it lets through because it does not know them. */
  readonly hide?: (data: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** What is stored, where that is not what `input` gives. An import must fit it. */
  readonly stored?: z.ZodType;
}

/** Owner of what nobody has created: items that came with a schema file, and those of collections without a login. */
export const nobody = 0;

/** The owner as clients see it; empty where there is none. */
export const ownerUid = (ownerId: number) => (ownerId === nobody ? "" : `u${String(ownerId)}`);

export const endpointsOf = (definition: ResourceDefinition) => resourceEndpoints(definition);
