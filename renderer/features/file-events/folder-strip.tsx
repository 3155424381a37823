import { ActionIcon, Tooltip } from "@mantine/core";
import { CirclePause, CirclePlay, Eye, LoaderCircle, SlidersHorizontal, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { WatchedFolder, WatchState } from "../../../server/contract/console/data/watched-folders.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { useFolderChanges } from "./use-watched-folders.ts";
import classes from "./file-events.module.css";

const states = {
  starting: { tone: "busy", icon: LoaderCircle },
  watching: { tone: "up", icon: Eye },
  paused: { tone: "neutral", icon: CirclePause },
  failed: { tone: "down", icon: TriangleAlert },
} as const satisfies Record<WatchState, object>;

/** The watched folders in a row above the events: state, counts, pause. Selecting one filters the list by it. */
export function FolderStrip(props: {
  folders: readonly WatchedFolder[];
  /** The path that the list is narrowed to. */
  chosen: string | undefined;
  onChoose: (path: string | undefined) => void;
  onEdit: (id: number) => void;
}) {
  const { t } = useTranslation();
  return (
    <ul className={classes.strip} aria-label={t("fileEvents.folders")}>
      {props.folders.map((folder) => (
        <li key={folder.id} className={classes.folder} data-chosen={folder.path === props.chosen}>
          <button
            type="button"
            className={classes.choose}
            aria-pressed={folder.path === props.chosen}
            onClick={() => props.onChoose(folder.path === props.chosen ? undefined : folder.path)}
          >
            <span className={classes.path} title={folder.path}>
              <bdi>{folder.path}</bdi>
            </span>
            <FolderState folder={folder} />
          </button>
          <FolderButtons folder={folder} onEdit={() => props.onEdit(folder.id)} />
        </li>
      ))}
    </ul>
  );
}

function FolderState({ folder }: { folder: WatchedFolder }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { tone, icon } = states[folder.state];
  const seen = Object.values(folder.counts).reduce((sum, count) => sum + count, 0);
  return (
    <span className={classes.folderState}>
      <Badge tone={tone} icon={icon}>
        {t(`fileEvents.state.${folder.state}`)}
      </Badge>
      <span className={classes.dim}>
        {folder.reason ??
          (folder.waiting > 0
            ? t("fileEvents.waiting", { count: folder.waiting })
            : t("fileEvents.seen", { count: seen, text: formats.number(seen) }))}
      </span>
    </span>
  );
}

function FolderButtons({ folder, onEdit }: { folder: WatchedFolder; onEdit: () => void }) {
  const { t } = useTranslation();
  const showFailure = useShowFailure();
  const { change } = useFolderChanges();
  const goesOn = folder.state === "watching" || folder.state === "starting";
  const pauseLabel = t(goesOn ? "fileEvents.pauseOf" : "fileEvents.resumeOf", { path: folder.path });
  const editLabel = t("fileEvents.editOf", { path: folder.path });
  const Icon = goesOn ? CirclePause : CirclePlay;
  return (
    <>
      <Tooltip label={pauseLabel}>
        <ActionIcon
          aria-label={pauseLabel}
          loading={change.isPending}
          onClick={() => change.mutate({ id: folder.id, paused: goesOn }, { onError: showFailure })}
        >
          <Icon size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={editLabel}>
        <ActionIcon aria-label={editLabel} onClick={onEdit}>
          <SlidersHorizontal size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </>
  );
}
