import { FileArchive, File, FileX } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { StoredUpload } from "../../../server/contract/console/data/stored-uploads.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { Owner } from "./owner.tsx";
import { thumbnailOf } from "./preview.ts";
import classes from "./uploads.module.css";

/** The distance in pixels from the end at which the next files are fetched. */
const nearEnd = 600;

/** The files as pictures, where possible. */
export function UploadGallery(props: {
  uploads: readonly StoredUpload[];
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
  onNearEnd: () => void;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const frame = useRef<HTMLDivElement>(null);
  const look = () => {
    if (!frame.current) return;
    const { scrollHeight, scrollTop, clientHeight } = frame.current;
    if (scrollHeight - scrollTop - clientHeight < nearEnd) props.onNearEnd();
  };
  const onRoom = useEffectEvent(look);
  // On a large screen the end may be near without any scrolling; the next files may not be had yet, and then can be.
  useEffect(() => {
    const observer = new ResizeObserver(() => onRoom());
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [props.uploads.length, props.onNearEnd]);
  return (
    <div className={classes.gallery} ref={frame} onScroll={look}>
      <ul className={classes.pictures} aria-label={t("uploads.table")}>
        {props.uploads.map((upload) => {
          const id = String(upload.id);
          return (
            <li key={id}>
              <button
                type="button"
                className={classes.picture}
                aria-pressed={id === props.selected}
                onClick={() => props.onSelect(id === props.selected ? undefined : id)}
              >
                <Picture upload={upload} />
                <span className={classes.caption} title={upload.file_name}>
                  {upload.file_name}
                </span>
                <span className={classes.pictureFoot}>
                  <Owner uid={upload.owner_uid} className={classes.owner} />
                  <span>{formats.bytes(upload.size)}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Picture({ upload }: { upload: StoredUpload }) {
  const { t } = useTranslation();
  if (upload.lost)
    return (
      <span className={classes.thumbnail}>
        <Badge tone="down" icon={FileX}>
          {t(`uploads.loss.${upload.lost}`)}
        </Badge>
      </span>
    );
  const address = thumbnailOf(upload);
  if (address !== undefined) return <img src={address} alt="" loading="lazy" className={classes.thumbnail} />;
  const Icon = /zip|rar|7z/.test(upload.media_type) ? FileArchive : File;
  return (
    <span className={classes.thumbnail}>
      <Icon size={34} strokeWidth={1.25} aria-hidden />
    </span>
  );
}
