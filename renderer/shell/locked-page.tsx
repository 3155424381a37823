import { useTranslation } from "react-i18next";
import { CodeBlock } from "../ui/code-block.tsx";
import classes from "./shell.module.css";

/** Shown when the server does not know this browser: how to open the console. */
export function LockedPage() {
  const { t } = useTranslation();
  const address = `${location.origin}/console/?token=…`;
  return (
    <main className={classes.alone}>
      <div className={classes.card}>
        <img
          src={`${import.meta.env.BASE_URL}icon.svg`}
          width={36}
          height={36}
          alt="Hearth"
          className={classes.cardIcon}
        />
        <h1>{t("locked.title")}</h1>
        <p>{t("locked.text")}</p>
        <p>{t("locked.step")}</p>
        <CodeBlock code={t("locked.line", { address })} />
        <p>{t("locked.more")}</p>
      </div>
    </main>
  );
}
