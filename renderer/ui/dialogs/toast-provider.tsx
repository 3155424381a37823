import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ToastContext, type Toast } from "./toast.ts";
import type { Told } from "./toast-stack.tsx";

const loadStack = () => import("./toast-stack.tsx");
const ToastStack = lazy(() => loadStack().then((file) => ({ default: file.ToastStack })));

/** Fetches what shows notifications when there is the first one. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [needed, setNeeded] = useState(false);
  const toast = useMemo<Toast>(() => {
    const tell = (told: Told) => {
      setNeeded(true);
      void loadStack().then(({ showToast }) => showToast(told, t("common.close")));
    };
    return {
      success: (text) => tell({ kind: "success", text }),
      error: (text) => tell({ kind: "error", text }),
      undo: (text, onUndo) => tell({ kind: "undo", text, onUndo }),
    };
  }, [t]);
  return (
    <ToastContext value={toast}>
      {children}
      {needed && (
        <Suspense>
          <ToastStack />
        </Suspense>
      )}
    </ToastContext>
  );
}
