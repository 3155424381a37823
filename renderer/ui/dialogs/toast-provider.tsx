import { lazy, Suspense, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ToastContext, type Toast } from "./toast.ts";
import type { ToastContent } from "./toast-stack.tsx";

const loadStack = () => import("./toast-stack.tsx");
const ToastStack = lazy(() => loadStack().then((file) => ({ default: file.ToastStack })));

/** Loads the code for notifications when the first one appears. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [needed, setNeeded] = useState(false);
  const toast = useMemo<Toast>(() => {
    const show = (content: ToastContent) => {
      setNeeded(true);
      void loadStack().then(({ showToast }) => showToast(content, t("common.close")));
    };
    return {
      success: (text) => show({ kind: "success", text }),
      error: (text) => show({ kind: "error", text }),
      undo: (text, onUndo) => show({ kind: "undo", text, onUndo }),
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
