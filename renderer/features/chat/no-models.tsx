import { useTranslation } from "react-i18next";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { Notice } from "../../ui/dialogs/notice.tsx";
import classes from "./chat.module.css";

export function NoModels() {
  const { t } = useTranslation();
  return (
    <Notice kind="info">
      <strong>{t("chat.noModels")}</strong>
      <p className={classes.noModels}>{t("chat.noModelsHint")}</p>
      <CodeBlock code="npm start -- --model FILE.gguf" name="npm start" />
    </Notice>
  );
}
