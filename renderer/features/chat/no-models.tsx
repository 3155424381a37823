import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import classes from "./chat.module.css";

export function NoModels() {
  const { t } = useTranslation();
  return (
    <Notice
      kind="info"
      action={
        <Button size="compact-xs" renderRoot={(root) => <Link {...root} to="/models" search={{ view: "pull" }} />}>
          {t("chat.pullModel")}
        </Button>
      }
    >
      <strong>{t("chat.noModels")}</strong>
      <p className={classes.noModels}>{t("chat.noModelsHint")}</p>
      <CodeBlock code="npm start -- --model FILE.gguf" name="npm start" />
    </Notice>
  );
}
