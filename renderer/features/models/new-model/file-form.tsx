import { Button, TextInput } from "@mantine/core";
import { FilePlus2 } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { isSameModel } from "../../../api/queries/model-name.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { useDroppedModel } from "../../../ui/forms/dropped-model.ts";
import { DropZone } from "../../../ui/forms/drop-zone.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { ggufProblem, modelNameOf, type GgufProblem } from "./gguf-file.ts";
import { ReplacesNotice } from "./replaces-notice.tsx";
import { useModelJobs } from "../jobs/use-model-jobs.ts";
import classes from "../models.module.css";

interface Chosen {
  readonly file: File;
  readonly problem: GgufProblem | undefined;
}

/** Creates a model from a GGUF file on the reader's computer. */
export function FileForm({ installed, onDone }: { installed: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { actions } = useModelJobs();
  const [chosen, setChosen] = useState<Chosen>();
  const [typed, setTyped] = useState("");
  /** The name of a model that was being created when this one was to be. */
  const [refused, setRefused] = useState<string>();
  const name = typed.trim();
  const here = installed.find((one) => isSameModel(one, name));
  const ready = chosen !== undefined && chosen.problem === undefined && name !== "";
  const choose = async ([file]: readonly File[]) => {
    if (!file) return;
    const problem = await ggufProblem(file);
    setChosen({ file, problem });
    if (problem === undefined) setTyped(modelNameOf(file.name));
  };
  const { receive } = useDroppedModel();
  const receiveDropped = useEffectEvent(() => receive((file) => void choose([file])));
  useEffect(() => receiveDropped(), []);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready) return;
        if (actions.start({ kind: "file", model: name, file: chosen.file })) onDone();
        else setRefused(name);
      }}
    >
      <DropZone
        label={t("models.file.drop")}
        hint={
          chosen
            ? t("models.file.chosen", { name: chosen.file.name, size: formats.bytes(chosen.file.size) })
            : t("models.file.hint")
        }
        inputLabel={t("models.file.input")}
        multiple={false}
        onFiles={(files) => void choose(files)}
      />
      {chosen?.problem && (
        <Notice kind="error">{t(`models.file.${chosen.problem}`, { name: chosen.file.name })}</Notice>
      )}
      <TextInput
        label={t("models.createName")}
        placeholder="my-model"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {refused === name && <Notice kind="error">{t("models.beingCreated", { name })}</Notice>}
      <ReplacesNotice name={here} />
      <p className={classes.note}>{t("models.file.how")}</p>
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" leftSection={<FilePlus2 size={13} aria-hidden />} disabled={!ready}>
          {t("models.createNow")}
        </Button>
      </div>
    </form>
  );
}
