/** What components that are on the page offer to another one that is: added while they are there, gone with them. */
export interface Registry<Item> {
  /** The call that it returns takes the item out again. */
  add(item: Item): () => void;
  /** In the order in which they were added. */
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
