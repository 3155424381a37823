import { Button, TextInput } from "@mantine/core";
import { FilePlus2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isSameModel } from "../../../api/queries/model-name.ts";
import { useUnsaved } from "../../../api/address/use-unsaved.ts";
import { CodeEditor } from "../../../ui/code/code-editor.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { ReplacesNotice } from "./replaces-notice.tsx";
import { useModelJobs } from "../jobs/use-model-jobs.ts";
import { draftModelfile } from "./modelfile.ts";
import { useModelDetails } from "../use-models.ts";
import classes from "../models.module.css";

interface Props {
  from: string | undefined;
  installed: readonly string[];
  onDone: () => void;
}

/** Creates a model from a Modelfile; `from`: the base model, whose own Modelfile is the draft. */
export function CreateForm({ from, ...props }: Props) {
  return from === undefined ? (
    <Editor from={from} draft={draftModelfile("hearth-starter")} {...props} />
  ) : (
    <FromModel from={from} {...props} />
  );
}

function FromModel({ from, ...props }: Props & { from: string }) {
  const { data: visible, error } = useModelDetails(from);
  if (!visible && !error) return null;
  return <Editor from={from} draft={draftModelfile(from, visible?.modelfile)} {...props} />;
}

function Editor({ from, draft, installed, onDone }: Props & { draft: string }) {
  const { t } = useTranslation();
  const { actions } = useModelJobs();
  const [typed, setTyped] = useState(from === undefined ? "" : `${from.split(":")[0] ?? from}-mine`);
  const [start] = useState(draft);
  const [text, setText] = useState(start);
  const settle = useUnsaved(text !== start, ["view", "from"]);
  /** The name of a model that was being created when this one was to be. */
  const [refused, setRefused] = useState<string>();
  const name = typed.trim();
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (name === "" || text.trim() === "") return;
        if (!actions.start({ kind: "create", model: name, modelfile: text })) return setRefused(name);
        settle();
        onDone();
      }}
    >
      <TextInput
        label={t("models.createName")}
        placeholder="my-model"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {refused === name && <Notice kind="error">{t("models.beingCreated", { name })}</Notice>}
      <ReplacesNotice name={installed.find((one) => isSameModel(one, name))} />
      <CodeEditor value={text} onChange={setText} language="plain" label={t("models.modelfile")} maxHeight={420} />
      <p className={classes.note}>{t("models.createHint")}</p>
      <div className={classes.buttons}>
        <Button
          type="submit"
          variant="filled"
          leftSection={<FilePlus2 size={13} aria-hidden />}
          disabled={name === "" || text.trim() === ""}
        >
          {t("models.createNow")}
        </Button>
      </div>
    </form>
  );
}
