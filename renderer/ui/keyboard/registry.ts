import { createStore, type StoreApi } from "zustand/vanilla";

/** What components that are on the page offer to another one that is: added while they are there, gone with them. */
export interface Registry<Item> {
  /** The returned function removes the item. */
  add(item: Item): () => void;
  /** In the order in which they were added. */
  readonly items: StoreApi<readonly Item[]>;
}

export function createRegistry<Item>(): Registry<Item> {
  const items = createStore<readonly Item[]>(() => []);
  const replace = (next: readonly Item[]) => items.setState(next, true);
  return {
    items,
    add(item) {
      replace([...items.getState(), item]);
      return () => replace(items.getState().filter((other) => other !== item));
    },
  };
}
