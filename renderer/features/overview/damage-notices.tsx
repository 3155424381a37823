import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Overview } from "../../../server/contract/console/console.ts";
import { useUploadContents } from "../../api/queries/use-upload-contents.ts";
import { Notice } from "../../ui/dialogs/notice.tsx";
import classes from "./overview.module.css";

/** Damage in the data directory, in the server's words, and lost contents of uploads. */
export function DamageNotices({ damage }: { damage: Overview["damage"] }) {
  const { t } = useTranslation();
  const lost = useUploadContents().data?.lost ?? 0;
  if (damage.length === 0 && lost === 0) return null;
  return (
    <section aria-label={t("overview.damage")} className={classes.notices}>
      {damage.map(({ file, text }) => (
        <Notice key={file} kind="error">
          <strong>{t("overview.databaseDamaged")}</strong>
          <p lang="en" className={classes.damageText}>
            {text}
          </p>
        </Notice>
      ))}
      {lost > 0 && (
        <Notice kind="error">
          {t("overview.uploadsLost", { count: lost })}{" "}
          <Link to="/uploads" search={{ view: "lost" }}>
            {t("overview.uploadsLostLink")}
          </Link>
        </Notice>
      )}
    </section>
  );
}
