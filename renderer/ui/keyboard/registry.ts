import { createStore, type StoreApi } from "zustand/vanilla";

/** Items that mounted components offer to another one. An item is removed when its component unmounts. */
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
