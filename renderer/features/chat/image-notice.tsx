import { useState, type ClipboardEvent, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ServedModel } from "../../../server/contract/model/model-client.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";

const isImage = ({ type }: { type: string }) => type.startsWith("image/");

/** Notices images that are dropped or pasted: questions are text alone. `handlers` belong to the place that takes them. */
export function useRefusedImages() {
  const [isRefused, setRefused] = useState(false);
  const handlers = {
    onPaste({ clipboardData }: ClipboardEvent) {
      // Some programs copy a text together with a picture of it.
      if ([...clipboardData.files].some(isImage) && clipboardData.getData("text/plain") === "") setRefused(true);
    },
    onDragOver(event: DragEvent) {
      // Otherwise the browser leaves the page for the image.
      if ([...event.dataTransfer.items].some(isImage)) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      if (![...event.dataTransfer.files].some(isImage)) return;
      event.preventDefault();
      setRefused(true);
    },
  };
  return { isRefused, dismiss: () => setRefused(false), handlers };
}

/** Says that the engine reads no images, and which models of upstreams do. */
export function ImageNotice({ models = [] }: { models: readonly ServedModel[] | undefined }) {
  const { t, i18n } = useTranslation();
  const able = models.filter(({ capabilities }) => capabilities?.includes("vision") === true).map(({ name }) => name);
  const names = new Intl.ListFormat(i18n.language, { type: "disjunction" }).format(able);
  return (
    <Notice kind="info">
      <strong>{t("chat.images.refused")}</strong>{" "}
      {able.length > 0 ? t("chat.images.models", { names }) : t("chat.images.noModels")}
    </Notice>
  );
}
