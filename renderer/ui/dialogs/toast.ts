import { createContext, useContext } from "react";

/** Short notifications in a corner of the window. */
export interface Toast {
  success(text: string): void;
  /** A failure that has no place of its own on the page; it stays until it is closed. */
  error(text: string): void;
  /** An action that can be undone for some seconds. */
  undo(text: string, onUndo: () => void): void;
}

export const ToastContext = createContext<Toast | undefined>(undefined);

export function useToast(): Toast {
  const toast = useContext(ToastContext);
  if (!toast) throw new Error("no ToastProvider above this component");
  return toast;
}
