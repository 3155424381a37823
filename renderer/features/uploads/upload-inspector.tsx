import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { StoredUpload } from "../../../server/contract/console/data/stored-uploads.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import { Fields } from "../../ui/forms/fields.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import { ArchiveListing } from "./archive-listing.tsx";
import { Owner } from "./owner.tsx";
import { previewOf } from "./preview.ts";
import classes from "./uploads.module.css";

export function UploadInspector({ upload }: { upload: StoredUpload }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const content = `/console/api/uploads/${upload.id}/content`;
  return (
    <>
      {upload.lost && <Notice kind="error">{t(`uploads.lossText.${upload.lost}`)}</Notice>}
      {!upload.lost && previewOf(upload) !== undefined && (
        <div className={classes.preview}>
          <img src={previewOf(upload)} alt={t("uploads.preview", { name: upload.file_name })} />
        </div>
      )}
      <Fields
        items={[
          { name: t("uploads.name"), value: upload.file_name },
          {
            name: t("uploads.owner"),
            value: (
              <Link to="/users" search={{ user: upload.owner_uid }} className={classes.link}>
                <Owner uid={upload.owner_uid} />
              </Link>
            ),
          },
          { name: t("uploads.kind"), value: t(upload.kind === "avatar" ? "uploads.kindAvatar" : "uploads.kindUpload") },
          ...(upload.type === "" ? [] : [{ name: t("uploads.type"), value: upload.type, wire: true }]),
          { name: t("uploads.mediaType"), value: upload.media_type, wire: true },
          { name: t("uploads.size"), value: formats.bytes(upload.size) },
          { name: t("uploads.time"), value: formats.exact(upload.created_at) },
          {
            name: t("uploads.sha256"),
            value: (
              <>
                {upload.sha256} <CopyButton value={upload.sha256} name={t("uploads.sha256")} />
              </>
            ),
            wire: true,
          },
        ]}
      />
      {!upload.lost && (
        <div>
          <Button
            component="a"
            href={content}
            download={upload.file_name}
            leftSection={<Download size={14} aria-hidden />}
          >
            {t("common.download")}
          </Button>
        </div>
      )}
      {!upload.lost && upload.media_type === "application/zip" && <ArchiveListing id={upload.id} />}
    </>
  );
}
