import type { TFunction } from "i18next";
import { File, FileArchive, FileX, Image } from "lucide-react";
import type { StoredUpload } from "../../../server/contract/console/data/stored-uploads.ts";
import type { Formats } from "../../i18n/formats.ts";
import { Badge } from "../../ui/marks/badge.tsx";
import type { Column } from "../../ui/table/table-columns.ts";
import { RowTime } from "../../ui/marks/row-time.tsx";
import { Owner } from "./owner.tsx";
import classes from "./uploads.module.css";

export const uploadColumns = (t: TFunction, formats: Formats): Column<StoredUpload>[] => [
  {
    key: "file_name",
    sortable: true,
    header: t("uploads.name"),
    track: "minmax(140px, 1fr)",
    cell: (upload) => <Name upload={upload} t={t} />,
  },
  {
    key: "owner",
    header: t("uploads.owner"),
    track: "minmax(76px, 120px)",
    wideOnly: true,
    cell: (upload) => <Owner uid={upload.owner_uid} />,
  },
  {
    key: "type",
    sortable: true,
    header: t("uploads.type"),
    track: "110px",
    wideOnly: true,
    cell: (upload) => (upload.kind === "avatar" ? t("uploads.kindAvatar") : upload.type),
  },
  {
    key: "media_type",
    sortable: true,
    header: t("uploads.mediaType"),
    track: "minmax(100px, 190px)",
    wideOnly: true,
    cell: (upload) => <span className={classes.wire}>{upload.media_type}</span>,
  },
  {
    key: "size",
    sortable: true,
    header: t("uploads.size"),
    track: "76px",
    align: "end",
    cell: (upload) => formats.bytes(upload.size),
  },
  {
    key: "created_at",
    sortable: true,
    header: t("uploads.time"),
    track: "96px",
    cell: (upload) => <RowTime iso={upload.created_at} />,
  },
  {
    key: "id",
    header: t("uploads.id"),
    track: "56px",
    wideOnly: true,
    align: "end",
    cell: (upload) => <span className={classes.dim}>{upload.id}</span>,
  },
];

function Name({ upload, t }: { upload: StoredUpload; t: TFunction }) {
  const Icon = upload.media_type.startsWith("image/")
    ? Image
    : /zip|rar|7z/.test(upload.media_type)
      ? FileArchive
      : File;
  return (
    <span className={classes.name} title={upload.file_name}>
      <Icon size={14} strokeWidth={1.75} aria-hidden />
      <span>{upload.file_name}</span>
      {upload.lost && (
        <span className={classes.loss}>
          <Badge tone="down" icon={FileX}>
            {t(`uploads.loss.${upload.lost}`)}
          </Badge>
        </span>
      )}
    </span>
  );
}
