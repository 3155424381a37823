/** Items that mounted components offer to another component: each is registered while its component is mounted. */
export interface Registry<Item> {
  /** The returned function removes the item. */
  add(item: Item): () => void;
  /** In the order of registration. */
  all: () => readonly Item[];
  subscribe: (listen: () => void) => () => void;
}

export function createRegistry<Item>(): Registry<Item> {
  const listeners = new Set<() => void>();
  let items: readonly Item[] = [];
  const setState = (next: readonly Item[]) => {
    items = next;
    for (const listen of listeners) listen();
  };
  return {
    add(item) {
      setState([...items, item]);
      return () => setState(items.filter((other) => other !== item));
    },
    all: () => items,
    subscribe(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  };
}
