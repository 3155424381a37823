import { Suspense, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { lazyPart, useFetchedEarly } from "../lazy-part.ts";
import { ToastContext, type Toast } from "./toast.ts";
import type { ToastContent } from "./toast-stack.tsx";

const ToastStack = lazyPart(
  () => import("./toast-stack.tsx"),
  (file) => file.ToastStack,
);

/** Shows the notifications of the components below; their code is fetched after the page. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  useFetchedEarly(ToastStack);
  const [needed, setNeeded] = useState(false);
  const toast = useMemo<Toast>(() => {
    const show = (content: ToastContent) => {
      setNeeded(true);
      void ToastStack.fetch().then(({ showToast }) => showToast(content, t("common.close")));
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
