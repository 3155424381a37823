import { Button, Checkbox, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isSameModel } from "../../../api/queries/model-name.ts";
import { useCommand } from "../../../api/queries/use-command.ts";
import { CodeBlock } from "../../../ui/code/code-block.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { SuggestionList } from "./suggestion-list.tsx";
import { FitView } from "../inspector/fit-view.tsx";
import { useModelJobs } from "../jobs/use-model-jobs.ts";
import classes from "../models.module.css";

const settleMs = 350;
const example = "llama3.2:1b";

/** Chooses a model to pull, and estimates from its name whether it would fit. */
export function PullForm(props: {
  /** The initial name. */
  name: string | undefined;
  installed: readonly string[];
  onDone: () => void;
}) {
  const { installed, onDone } = props;
  const { t } = useTranslation();
  const { actions } = useModelJobs();
  const commandOf = useCommand();
  const [typed, setTyped] = useState(props.name ?? "");
  const [insecure, setInsecure] = useState(false);
  const name = typed.trim();
  const [asked] = useDebouncedValue(name, settleMs);
  const here = installed.find((one) => isSameModel(one, name));
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (name === "") return;
        actions.start({ kind: "pull", model: name, insecure });
        onDone();
      }}
    >
      <TextInput
        label={t("models.pullName")}
        description={t("models.pullHint")}
        placeholder={example}
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Checkbox
        label={t("models.insecure")}
        description={t("models.insecureHint")}
        checked={insecure}
        onChange={(event) => setInsecure(event.currentTarget.checked)}
      />
      {here !== undefined && <Notice kind="info">{t("models.alreadyHere", { name: here })}</Notice>}
      {asked !== "" && <FitView model={asked} />}
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" leftSection={<Download size={13} aria-hidden />} disabled={name === ""}>
          {t("models.pullNow")}
        </Button>
      </div>
      <SuggestionList chosen={name} onChoose={setTyped} />
      <div>
        <p className={classes.note}>{t("models.pullTerminal")}</p>
        <CodeBlock code={commandOf(`pull ${name || example}${insecure ? " --insecure" : ""}`)} name="hearth pull" />
      </div>
    </form>
  );
}
