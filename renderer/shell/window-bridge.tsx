import { useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { HearthWindow } from "../api/desktop/hearth-window.ts";
import { useDesktop } from "../api/desktop/use-desktop.ts";
import { useDroppedModel } from "../ui/forms/dropped-model.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const FirstRun = lazyPart(
  () => import("../features/first-run/first-run.tsx"),
  (file) => file.FirstRun,
);

/** Connects the console with the desktop window: language, pages that menus request, dropped files. */
export function WindowBridge({ to: hearthWindow }: { to: HearthWindow }) {
  const { i18n } = useTranslation();
  const navigate = useNavigate();
  const { data: desktop } = useDesktop();
  const { drop } = useDroppedModel();
  const language = i18n.language === "zh" ? "zh" : "en";
  useEffect(() => void hearthWindow.changeDesktop({ language }), [hearthWindow, language]);
  useEffect(() => hearthWindow.onShowPage((page) => void navigate({ to: page })), [hearthWindow, navigate]);

  /** Nothing is done with it but in the form that opens. */
  const take = useEffectEvent((event: DragEvent) => {
    // A field of the page takes it. Whether its default is prevented does not tell: while there is a field, all are.
    if (event.target instanceof Element && event.target.closest("[data-takes-files]")) return;
    event.preventDefault();
    const [item] = event.dataTransfer?.items ?? [];
    const file = item?.getAsFile();
    if (!item || !file) return;
    if (item.webkitGetAsEntry()?.isDirectory === true)
      void navigate({ to: "/file-events", search: { folder: "new", at: hearthWindow.pathOf(file) } });
    else if (file.name.toLowerCase().endsWith(".gguf")) {
      drop(file);
      void navigate({ to: "/models", search: { view: "file" } });
    }
  });
  useEffect(() => {
    const allow = (event: DragEvent) => event.preventDefault();
    const taken = (event: DragEvent) => take(event);
    addEventListener("dragover", allow);
    addEventListener("drop", taken);
    void hearthWindow.takeFiles();
    return () => {
      removeEventListener("dragover", allow);
      removeEventListener("drop", taken);
    };
  }, [hearthWindow]);
  return <Suspense>{desktop?.isFirstRun === true && <FirstRun />}</Suspense>;
}
