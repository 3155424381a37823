import { useTranslation } from "react-i18next";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CopyButton } from "../../ui/code/copy-button.tsx";
import classes from "./first-run.module.css";

/** The services with their addresses. */
export function WhereScreen() {
  const { t } = useTranslation();
  const addresses = useOverview().data?.addresses;
  return (
    <>
      <p>{t("firstRun.where.text")}</p>
      <ul className={classes.list}>
        {(["app", "provider", "model"] as const).map((name) => {
          const address = addresses?.[name];
          return (
            <li key={name}>
              <span className={classes.address}>
                <code>{address ?? t("firstRun.where.waiting")}</code>
                {address !== undefined && <CopyButton value={address} name={address} />}
              </span>
              <span className={classes.dim}>{t(`firstRun.where.${name}`)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
