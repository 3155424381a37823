import { useTranslation } from "react-i18next";
import { Segmented } from "../../ui/segmented.tsx";
import { CreateForm } from "./create-form.tsx";
import { FileForm } from "./file-form.tsx";
import classes from "./models.module.css";

const ways = ["create", "file"] as const;
type Way = (typeof ways)[number];

/** A new model: by a Modelfile, or of a file; one that comes from another model is made by a Modelfile. */
export function NewModel(props: {
  way: Way;
  from: string | undefined;
  installed: readonly string[];
  onWay: (way: Way) => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const { way, from, onDone } = props;
  if (from !== undefined) return <CreateForm key={from} from={from} onDone={onDone} />;
  return (
    <div className={classes.form}>
      <Segmented
        label={t("models.way")}
        value={way}
        choices={ways.map((value) => ({ value, label: t(`models.ways.${value}`) }))}
        onChange={props.onWay}
      />
      {way === "file" ? (
        <FileForm installed={props.installed} onDone={onDone} />
      ) : (
        <CreateForm from={undefined} onDone={onDone} />
      )}
    </div>
  );
}
