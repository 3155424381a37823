/** The edited version of an item, and whether the visible one differs. */
import type { CollectionItem } from "../../../../server/contract/console/data/collection-endpoints.ts";

/** An edited item, with the versions that saves have replaced by it: answers under way may still show them. */
export interface Edited {
  readonly item: CollectionItem;
  readonly replaced: readonly CollectionItem[];
}

/** The item as it is now saved, where `shown` is a version that this has replaced. */
export const newest = ({ item, replaced }: Edited, shown: CollectionItem): CollectionItem =>
  replaced.some((old) => isSameVersion(old, shown)) ? item : shown;

/** After a save of `before`, which `earlier` may have led to. */
export const saved = (item: CollectionItem, before: CollectionItem, earlier: Edited | undefined): Edited => ({
  item,
  replaced: [...(earlier && isSameVersion(earlier.item, before) ? earlier.replaced : []), before],
});

/** As its ETag tells: numbers begin again after a reset, and after an import that replaces. */
export const isSameVersion = (one: CollectionItem | undefined, other: CollectionItem | undefined): boolean =>
  one?.id === other?.id && one?.version === other?.version && one?.updated_at === other?.updated_at;
