import { z } from "zod";
import { maxPageSize, resourceEndpoints, type ResourceShape } from "../../contract/resources.ts";

/** One collection: its shape, and who may do what. */
export interface ResourceDefinition extends ResourceShape {
  /** A boolean field that hides an item from everybody but its owner. */
  readonly privateField?: string;
  /** Only the owner may change or delete an item. */
  readonly ownerOnly: boolean;
  /** Fields that `q` looks into. */
  readonly searchFields: readonly string[];
  /** Fields that are stored but never answered (spec: Generic REST conventions 2). */
  readonly secretFields: readonly string[];
}

const articleFields = {
  title: z.string().min(1).max(200),
  body: z.string().max(100_000).default(""),
  private: z.boolean().default(false).describe("Only the owner may read it."),
};

/** Articles: everybody reads public ones; only the owner reads private ones and changes or deletes. */
export const articles: ResourceDefinition = {
  name: "articles",
  singular: "Article",
  input: z.object(articleFields),
  output: z.object({ title: z.string(), body: z.string(), private: z.boolean() }),
  pageLimit: maxPageSize,
  filterFields: ["title", "private"],
  searchFields: ["title", "body"],
  secretFields: [],
  privateField: "private",
  ownerOnly: true,
};

export const endpointsOf = (definition: ResourceDefinition) => resourceEndpoints(definition);
