import { Button, Switch, Textarea, TextInput } from "@mantine/core";
import { FolderOpen, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WatchedFolder } from "../../../server/contract/console/data/watched-folders.ts";
import { carryOut } from "../../api/actions/carry-out.ts";
import { useUnsaved } from "../../api/address/use-unsaved.ts";
import { hearthWindow } from "../../api/desktop/hearth-window.ts";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { PatternTest } from "./pattern-test.tsx";
import { useFolderChanges } from "./use-watched-folders.ts";
import classes from "./file-events.module.css";

/** Patterns as typed, one per line. */
const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Watches a new folder, or changes or ends a watch. Shows at once which paths the patterns exclude. */
export function FolderForm(props: {
  folder: WatchedFolder | undefined;
  /** Whether it is no longer watched. */
  isGone: boolean;
  /** The path of a new one, if it is known. */
  at?: string | undefined;
  onDone: () => void;
}) {
  const { folder, onDone } = props;
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { add, change, remove } = useFolderChanges();
  const [path, setPath] = useState(folder?.path ?? props.at ?? "");
  const [patterns, setPatterns] = useState(folder?.exclude.join("\n") ?? "");
  const [catchUp, setCatchUp] = useState(folder?.catch_up ?? true);
  const [sample, setSample] = useState("");
  const typed = [path, patterns, catchUp].join();
  const [start] = useState(typed);
  const settle = useUnsaved(typed !== start, ["folder", "at"]);
  const leave = () => {
    settle();
    onDone();
  };
  const gone = props.isGone && <Notice kind="info">{t("fileEvents.folderGone")}</Notice>;
  const exclude = linesOf(patterns);
  const failed = add.error ?? change.error ?? remove.error;
  const save = () => {
    if (folder) change.mutate({ id: folder.id, exclude, catch_up: catchUp }, { onSuccess: leave });
    else add.mutate({ path: path.trim(), exclude, catch_up: catchUp }, { onSuccess: leave });
  };
  const end = async () => {
    if (!folder) return;
    const sure = await confirm({
      title: t("fileEvents.endTitle"),
      text: t("fileEvents.endText", { path: folder.path }),
      action: t("fileEvents.end"),
      danger: true,
    });
    if (sure) carryOut(remove, folder.id, leave);
  };

  if (gone && typed === start) return gone;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <PathField path={path} isFixed={folder !== undefined} onChange={setPath} />
      <Textarea
        label={t("fileEvents.exclude")}
        description={t("fileEvents.excludeHint")}
        placeholder={"/node_modules(/|$)\n\\.swp$"}
        autosize
        minRows={2}
        maxRows={8}
        value={patterns}
        onChange={(event) => setPatterns(event.currentTarget.value)}
        classNames={{ input: classes.wire ?? "" }}
      />
      <Switch
        label={t("fileEvents.catchUp")}
        description={t("fileEvents.catchUpHint")}
        checked={catchUp}
        onChange={(event) => setCatchUp(event.currentTarget.checked)}
      />
      {gone}
      {failed && <Notice kind="error">{t("failure.withReason", { reason: failed.message })}</Notice>}
      <div className={classes.formButtons}>
        <Button
          type="submit"
          variant="filled"
          loading={add.isPending || change.isPending}
          disabled={path.trim() === ""}
        >
          {folder ? t("fileEvents.save") : t("fileEvents.watch")}
        </Button>
        {folder && (
          <Button leftSection={<Trash2 size={13} aria-hidden />} loading={remove.isPending} onClick={() => void end()}>
            {t("fileEvents.end")}
          </Button>
        )}
      </div>
      <PatternTest
        path={path.trim()}
        exclude={exclude}
        sample={sample}
        onSample={setSample}
        samplePaths={linesOf(sample)}
      />
    </form>
  );
}

/** The path, typed or, in the desktop window, chosen in a dialog. */
function PathField(props: { path: string; isFixed: boolean; onChange: (path: string) => void }) {
  const { t } = useTranslation();
  const { path, isFixed, onChange } = props;
  const choose = async () => onChange((await hearthWindow?.chooseFolder()) ?? path);
  return (
    <div className={classes.pathField}>
      <TextInput
        label={t("fileEvents.path")}
        description={t("fileEvents.pathHint")}
        placeholder="/home/ada/project"
        value={path}
        readOnly={isFixed}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {!isFixed && hearthWindow && (
        <Button leftSection={<FolderOpen size={14} aria-hidden />} onClick={() => void choose()}>
          {t("fileEvents.choose")}
        </Button>
      )}
    </div>
  );
}
