import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { FolderOpen } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { createWatchedFolder } from "../../../server/contract/console/data/watched-folders.ts";
import { hearthWindow } from "../../api/desktop/hearth-window.ts";
import { useApi } from "../../api/use-api.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import classes from "./first-run.module.css";

/** `watched`: the path of the folder that this screen has added. */
export function FolderScreen({
  watched,
  onWatched,
}: {
  watched: string | undefined;
  onWatched: (path: string) => void;
}) {
  const { t } = useTranslation();
  const { call } = useApi();
  const [path, setPath] = useState("");
  const add = useMutation({
    mutationFn: (folder: string) => call(createWatchedFolder, { body: { path: folder, exclude: [], catch_up: true } }),
    onSuccess: (folder) => onWatched(folder.path),
  });
  const choose = async () => setPath((await hearthWindow?.chooseFolder()) ?? path);
  return (
    <>
      <p>{t("firstRun.folder.text")}</p>
      <form
        className={classes.folder}
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(path.trim());
        }}
      >
        <TextInput
          className={classes.path}
          label={t("firstRun.folder.path")}
          placeholder="/home/ada/project"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button leftSection={<FolderOpen size={14} aria-hidden />} onClick={() => void choose()}>
          {t("firstRun.folder.choose")}
        </Button>
        <Button type="submit" loading={add.isPending} disabled={path.trim() === ""}>
          {t("firstRun.folder.watch")}
        </Button>
      </form>
      {add.error && <Notice kind="error">{t("failure.withReason", { reason: add.error.message })}</Notice>}
      {watched !== undefined && <Notice kind="info">{t("firstRun.folder.watched", { path: watched })}</Notice>}
    </>
  );
}
