/** A GGUF file that was dropped on the window, until the form for new models takes it. */
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { serviceKey, useService } from "./services.ts";

export const createDroppedModel = () => createStore<File | null>(() => null);
export const droppedModelKey = serviceKey<ReturnType<typeof createDroppedModel>>("dropped model");

export function useDroppedModel() {
  const store = useService(droppedModelKey);
  return {
    dropped: useStore(store),
    drop: (file: File) => store.setState(file, true),
    take: () => store.setState(null, true),
  };
}
