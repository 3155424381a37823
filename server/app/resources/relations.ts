/** Relations between the items of collections: references, and items in place of their ids. */
import type { ItemId } from "../../contract/app/item-ids.ts";
import { maxExpandDepth, maxExpandNames, type Relation } from "../../contract/app/resources.ts";
import { refuse } from "../../http/http-error.ts";
import {
  DanglingError,
  DuplicateError,
  ReferredError,
  type RecordRules,
  type Referrer,
} from "../../store/records/record-rules.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import { isPrivate, type StoredRecord } from "../../store/records/record-tables.ts";
import { answerSchema, findRecord, itemView, type ItemView, type ResourceDefinition } from "./resource-definition.ts";

export type Definitions = () => readonly ResourceDefinition[];

type Ruled = Pick<ResourceDefinition, "uniqueFields" | "relations">;

export const rulesOf = ({ uniqueFields, relations = [] }: Ruled, definitions: Definitions): RecordRules => ({
  unique: uniqueFields,
  relations,
  idTypeOf(collection) {
    const definition = definitions().find(({ name }) => name === collection);
    return definition && (definition.idKind === undefined ? "number" : "string");
  },
});

/** The fields that refer to items of a collection. */
export const referrersOf = (definitions: Definitions, name: string): Referrer[] =>
  definitions().flatMap(({ name: collection, relations = [] }) =>
    relations.filter(({ to }) => to === name).map(({ field }) => ({ collection, field })),
  );

/** @throws HttpError 400 naming the field that breaks a rule, 409 for an id that is taken, or naming the item that refers to a deleted one */
export async function refuseBroken<T>(change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) => {
    if (error instanceof DuplicateError) {
      const { field } = error;
      throw refuse(field === "id" ? "item.idTaken" : "item.duplicate", { field }, { field });
    }
    if (error instanceof DanglingError)
      throw refuse("item.noReference", { field: error.field, target: error.target }, { field: error.field });
    if (error instanceof ReferredError) throw refuse("item.referredTo", { by: error.by, field: error.field });
    throw error;
  });
}

/** The relations to follow, by their field, and those to follow from there. */
export type Expansion = ReadonlyMap<string, { readonly to: string; readonly then: Expansion }>;
type OpenExpansion = Map<string, { to: string; then: OpenExpansion }>;

/** Whether a caller of `root` may read items of `to` at all. */
const isOpenTo = (root: ResourceDefinition, to: ResourceDefinition) => to.access === "none" || root.access !== "none";

export function createExpand(definitions: Definitions, records: Pick<RecordStore, "get">) {
  const find = (name: string) => definitions().find((one) => one.name === name);

  function follow(root: ResourceDefinition, from: ResourceDefinition, field: string): Relation {
    const relations = from.relations ?? [];
    const relation = relations.find((one) => one.field === field);
    const target = relation && find(relation.to);
    if (relation && (!target || isOpenTo(root, target))) return relation;
    if (relation) throw refuse("expand.login", { field, to: relation.to, from: root.name }, { field: "expand" });
    const names = relations.map((one) => one.field);
    throw names.length === 0
      ? refuse("expand.none", { from: from.name, field }, { field: "expand" })
      : refuse("expand.other", { from: from.name, field, names }, { field: "expand" });
  }

  /** @throws HttpError 400 for an unknown name, and for too many or too deep ones */
  function read(from: ResourceDefinition, text = ""): Expansion {
    const paths = text.split(",").filter((path) => path !== "");
    if (paths.length > maxExpandNames) throw refuse("expand.most", { most: maxExpandNames }, { field: "expand" });
    const root: OpenExpansion = new Map();
    for (const path of paths) {
      const fields = path.split(".");
      if (fields.length > maxExpandDepth)
        throw refuse("expand.deep", { path, most: maxExpandDepth }, { field: "expand" });
      let level = root;
      let at: ResourceDefinition | undefined = from;
      for (const field of fields) {
        if (!at) throw refuse("expand.unserved", { path }, { field: "expand" });
        const { to } = follow(from, at, field);
        const step: { to: string; then: OpenExpansion } = level.get(field) ?? { to, then: new Map() };
        level.set(field, step);
        level = step.then;
        at = find(to);
      }
    }
    return root;
  }

  /**
   * Replaces the ids of the expansion with their items. An item that does not exist, or that this user may not read,
   * stays an id.
   */
  async function apply(expansion: Expansion, items: readonly ItemView[], userId: number): Promise<ItemView[]> {
    if (expansion.size === 0) return [...items];
    const seen = new Map<string, Promise<StoredRecord | undefined>>();
    const get = (to: ResourceDefinition, id: ItemId) => {
      const key = `${to.name}/${String(id)}`;
      const record = seen.get(key) ?? findRecord(records, to, id);
      seen.set(key, record);
      return record;
    };
    async function replace(item: ItemView, steps: Expansion): Promise<ItemView> {
      const replaced = [...steps].map(async ([field, { to, then }]): Promise<[string, unknown][]> => {
        const [id, target] = [item[field], find(to)];
        const isId = typeof id === (target?.idKind === undefined ? "number" : "string");
        const record = target && isId ? await get(target, id as ItemId) : undefined;
        if (!target || !record || !mayRead(target, record, userId)) return [];
        const view = answerSchema(target).parse(itemView(target, record)) as ItemView;
        return [[field, await replace(view, then)]];
      });
      return { ...item, ...Object.fromEntries((await Promise.all(replaced)).flat()) };
    }
    return Promise.all(items.map((item) => replace(item, expansion)));
  }

  return { read, apply };
}

/** Whether a user may see an item of a collection. */
const mayRead = (
  { privateField, ownerSeesOnly, isReadable = true }: ResourceDefinition,
  { ownerId, data }: StoredRecord,
  userId: number,
): boolean => isReadable && (ownerId === userId || (ownerSeesOnly !== true && !isPrivate(privateField, data)));
