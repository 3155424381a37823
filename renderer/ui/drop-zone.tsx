import { Dropzone } from "@mantine/dropzone";
import "@mantine/dropzone/styles.layer.css";
import { Upload } from "lucide-react";
import classes from "./drop-zone.module.css";

/** Takes files that are dropped on it or chosen. Which of them are acceptable is for the page to say. */
export function DropZone(props: {
  label: string;
  /** What is taken, or what has been taken. */
  hint: string;
  /** The label of the field behind it. */
  inputLabel: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
}) {
  return (
    <Dropzone
      className={classes.drop}
      onDrop={props.onFiles}
      multiple={props.multiple ?? true}
      inputProps={{ "aria-label": props.inputLabel }}
      aria-label={props.label}
    >
      <div className={classes.inner}>
        <Upload size={18} strokeWidth={1.75} aria-hidden />
        <div className={classes.texts}>
          <div>{props.label}</div>
          <div className={classes.hint}>{props.hint}</div>
        </div>
      </div>
    </Dropzone>
  );
}
