import { useTranslation } from "react-i18next";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { CreateForm } from "./create-form.tsx";
import { FileForm } from "./file-form.tsx";
import classes from "../models.module.css";

const ways = ["create", "file"] as const;
type Way = (typeof ways)[number];

/** Creates a model from a Modelfile, or from a file; with a base model, from a Modelfile only. */
export function NewModel(props: {
  way: Way;
  from: string | undefined;
  installed: readonly string[];
  onWay: (way: Way) => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const { way, from, installed, onDone } = props;
  if (from !== undefined) return <CreateForm key={from} from={from} installed={installed} onDone={onDone} />;
  return (
    <div className={classes.form}>
      <Segmented
        label={t("models.way")}
        value={way}
        choices={ways.map((value) => ({ value, label: t(`models.ways.${value}`) }))}
        onChange={props.onWay}
      />
      {way === "file" ? (
        <FileForm installed={installed} onDone={onDone} />
      ) : (
        <CreateForm from={undefined} installed={installed} onDone={onDone} />
      )}
    </div>
  );
}
