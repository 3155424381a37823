/** A GGUF file that was dropped on the window, until the form for new models takes it. */
import { createStore } from "zustand/vanilla";
import { serviceKey, useService } from "../services.ts";

export const createDroppedModel = () => createStore<File | null>(() => null);
export const droppedModelKey = serviceKey<ReturnType<typeof createDroppedModel>>("dropped model");

export function useDroppedModel() {
  const store = useService(droppedModelKey);
  return {
    drop: (file: File) => store.setState(file, true),
    /** Hands out the file that waits, and later ones. The returned function ends it. */
    receive: (take: (file: File) => void): (() => void) => {
      const hand = (file: File | null) => {
        if (!file) return;
        store.setState(null, true);
        take(file);
      };
      hand(store.getState());
      return store.subscribe(hand);
    },
  };
}
