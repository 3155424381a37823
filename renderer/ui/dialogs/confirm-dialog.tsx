import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "./dialog.tsx";
import type { Question } from "./question.ts";
import classes from "./confirm-dialog.module.css";

export function ConfirmDialog(props: { question: Question; opened: boolean; onAnswer: (yes: boolean) => void }) {
  const { t } = useTranslation();
  const { question, onAnswer } = props;
  return (
    <Dialog opened={props.opened} onClose={() => onAnswer(false)} title={question.title}>
      <p className={classes.text}>{question.text}</p>
      <div className={classes.buttons}>
        <Button onClick={() => onAnswer(false)}>{t("common.cancel")}</Button>
        <Button
          variant="filled"
          color={question.danger ? "red" : "ember"}
          data-autofocus
          onClick={() => onAnswer(true)}
        >
          {question.action}
        </Button>
      </div>
    </Dialog>
  );
}
