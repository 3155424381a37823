import { useQuery } from "@tanstack/react-query";
import { File, Folder } from "lucide-react";
import { useTranslation } from "react-i18next";
import { listStoredUploadEntries } from "../../../server/contract/console/data/stored-uploads.ts";
import { useApi } from "../../api/use-api.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import classes from "./uploads.module.css";

/** The members of an archive, from its directory; nothing is unpacked. */
export function ArchiveListing({ id }: { id: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { call } = useApi();
  const { data, error } = useQuery({
    queryKey: ["upload", id, "entries"],
    queryFn: ({ signal }) => call(listStoredUploadEntries, { params: { id }, signal }),
  });
  return (
    <section aria-label={t("uploads.archive")}>
      <h3>{t("uploads.archive")}</h3>
      {error && <Notice kind="error">{t("uploads.archiveBroken", { reason: error.message })}</Notice>}
      <ul className={classes.entries}>
        {data?.entries.map(({ name, size, directory }) => (
          <li key={name} className={classes.entry}>
            {directory ? <Folder size={13} aria-hidden /> : <File size={13} aria-hidden />}
            <span className={classes.wire}>{name}</span>
            {!directory && <span className={classes.dim}>{formats.bytes(size)}</span>}
          </li>
        ))}
      </ul>
      {data?.complete === false && <p className={classes.dim}>{t("uploads.archiveCut")}</p>}
    </section>
  );
}
