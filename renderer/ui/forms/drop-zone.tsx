import { Dropzone } from "@mantine/dropzone";
import "@mantine/dropzone/styles.layer.css";
import { Upload } from "lucide-react";
import classes from "./drop-zone.module.css";

/** Accepts dropped or chosen files. The page decides which of them are valid. */
export function DropZone(props: {
  label: string;
  /** The accepted files, or the chosen one. */
  hint: string;
  /** The label of the hidden file field. */
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
      data-takes-files
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
