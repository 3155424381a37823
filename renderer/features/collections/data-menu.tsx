import { asWritten, parseExactJson } from "../../../server/contract/exact-json.ts";
import { Button, Menu } from "@mantine/core";
import { Database, Download, FileInput, Replace, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { saveText } from "../../ui/code/save-text.ts";
import { FileChoice } from "../../ui/forms/file-choice.tsx";
import { readText } from "../../ui/forms/read-text.ts";
import { useToast } from "../../ui/dialogs/toast.ts";
import { useDataTransfer } from "./use-collections.ts";

/**
 * Exports all data to a file, and imports one: replacing the present data, after a confirmation, or merging with it.
 */
export function DataMenu({ onStorage, onUndo }: { onStorage: () => void; onUndo: () => void }) {
  const { t } = useTranslation();
  const toast = useToast();
  const showFailure = useShowFailure();
  const confirm = useConfirm();
  const { exported, importing } = useDataTransfer();
  const save = async () => {
    try {
      saveText("hearth-data.json", "application/json", JSON.stringify(await exported(), null, 2));
    } catch (error) {
      showFailure(error);
    }
  };
  const take = async (file: File, replace: boolean) => {
    try {
      const text = await readText(file);
      if (text === undefined) return toast.error(t("failure.noText", { name: file.name }));
      const content: unknown = parseExactJson(text, asWritten);
      const sure =
        !replace ||
        (await confirm({
          title: t("collections.replaceTitle"),
          text: t("collections.replaceText", { name: file.name }),
          action: t("collections.replaceAction"),
          danger: true,
        }));
      if (!sure) return;
      const { records, collections } = await importing.mutateAsync({ document: content, replace });
      toast.success(
        t("collections.imported", { count: records, collections: t("collections.counted", { count: collections }) }),
      );
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Menu>
      <Menu.Target>
        <Button leftSection={<Database size={13} aria-hidden />} loading={importing.isPending}>
          {t("collections.data")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Download size={14} aria-hidden />} onClick={() => void save()}>
          {t("collections.export")}
        </Menu.Item>
        <FileChoice accept="application/json,.json" onFile={(file) => void take(file, false)}>
          {(button) => (
            <Menu.Item {...button} closeMenuOnClick={false} leftSection={<FileInput size={14} aria-hidden />}>
              {t("collections.merge")}
            </Menu.Item>
          )}
        </FileChoice>
        <FileChoice accept="application/json,.json" onFile={(file) => void take(file, true)}>
          {(button) => (
            <Menu.Item {...button} closeMenuOnClick={false} leftSection={<Replace size={14} aria-hidden />}>
              {t("collections.replace")}
            </Menu.Item>
          )}
        </FileChoice>
        <Menu.Item leftSection={<Undo2 size={14} aria-hidden />} onClick={onUndo}>
          {t("collections.undo")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Database size={14} aria-hidden />} onClick={onStorage}>
          {t("collections.storage")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
