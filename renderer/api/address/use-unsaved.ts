import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { hearthWindow } from "../desktop/hearth-window.ts";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";

/** The desktop window would stay open without a reason. */
const asksAtUnload = hearthWindow === undefined;

/** Has the browser ask before the page is closed, for changes that navigation within the page saves. */
export const useUnsavedAtUnload = (isChanged: boolean): void =>
  void useBlocker({ disabled: !isChanged, enableBeforeUnload: asksAtUnload, shouldBlockFn: () => false });

/** Asks whether changes may be thrown away. */
export function useAskToDiscard(): () => Promise<boolean> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return () =>
    confirm({
      title: t("common.unsavedTitle"),
      text: t("common.unsavedText"),
      action: t("common.discard"),
      danger: true,
    });
}

/**
 * Asks before changes are discarded by navigation: to another page, or to another value of one of the named
 * parameters of the address. The returned function ends this, for changes that have been saved.
 */
export function useUnsaved(isChanged: boolean, parameters: readonly string[] = []): () => void {
  const askToDiscard = useAskToDiscard();
  const isSaved = useRef(false);
  useBlocker({
    disabled: !isChanged,
    enableBeforeUnload: () => !isSaved.current && asksAtUnload,
    shouldBlockFn: async ({ current, next }) => {
      const [here, there] = [valuesOf(current.search), valuesOf(next.search)];
      const stays = current.pathname === next.pathname && parameters.every((name) => here[name] === there[name]);
      if (stays || isSaved.current) return false;
      return !(await askToDiscard());
    },
  });
  return () => {
    isSaved.current = true;
  };
}

const valuesOf = (search: object): Readonly<Record<string, unknown>> => ({ ...search });
