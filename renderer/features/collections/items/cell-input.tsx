import { useEffect, useEffectEvent, useRef, useState, type ChangeEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { useUnsavedAtUnload } from "../../../api/address/use-unsaved.ts";
import type { SchemaField } from "../../../ui/forms/schema-fields.ts";
import { withEndsOf } from "../../../ui/code/line-ends.ts";
import classes from "../collections.module.css";

/** Whether a value of the field can be edited in a cell of the table. */
export const isCellKind = ({ kind }: SchemaField): boolean =>
  kind === "text" || kind === "integer" || kind === "number" || kind === "flag" || kind === "choice";

/**
 * Edits one value in its cell: Enter or leaving it saves, Escape gives up, Tab goes on to the next cell. An empty one
 * removes the value. A text of several lines has a field of several, where Shift+Enter begins another. After a key the
 * table has the focus again, for its own keys.
 */
export function CellInput(props: {
  field: SchemaField;
  value: unknown;
  /** `next`: the following cell is to be edited, -1 the one before. */
  onDone: (value: unknown, next: -1 | 0 | 1) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation();
  const { field, value, onDone, onCancel } = props;
  // Somebody else may change the value meanwhile: that is no change of the text.
  const [start] = useState(() => textOf(value));
  const [text, setText] = useState(start);
  // The field is also left when it goes away.
  const isLeft = useRef(false);
  const cancel = () => {
    isLeft.current = true;
    onCancel();
  };
  const finish = (next: -1 | 0 | 1) => {
    if (isLeft.current) return;
    isLeft.current = true;
    if (text === start && next === 0) onCancel();
    else onDone(text === start ? value : valueOf(field, text), next);
  };
  // A field that goes away, with its row or the page, loses the focus without an event.
  const vanish = useEffectEvent(() => {
    if (text !== start) finish(0);
  });
  useEffect(() => () => vanish(), []);
  useUnsavedAtUnload(text !== start);
  const press = (event: KeyboardEvent) => {
    // The table has keys of its own.
    event.stopPropagation();
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && !event.shiftKey) finish(0);
    else if (event.key === "Tab") finish(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.currentTarget.closest<HTMLElement>("[role=grid]")?.focus();
  };
  const common = {
    className: classes.cellInput,
    "aria-label": t("collections.cell", { field: field.name }),
    value: text,
    autoFocus: true,
    onKeyDown: press,
    onBlur: () => finish(0),
    onClick: (event: { stopPropagation: () => void }) => event.stopPropagation(),
  };
  const choices = field.kind === "flag" ? ["true", "false"] : field.choices.map(String);
  const write = (change: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    setText(withEndsOf(start, change.currentTarget.value));
  // An input would join the lines of a text.
  if (/[\r\n]/.test(start) && choices.length === 0) return <textarea {...common} rows={1} onChange={write} />;
  return choices.length > 0 ? (
    <select {...common} onChange={(change) => setText(change.currentTarget.value)}>
      <option value="">–</option>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  ) : (
    <input
      {...common}
      inputMode={field.kind === "text" ? "text" : "decimal"}
      onFocus={(event) => event.currentTarget.select()}
      onChange={write}
    />
  );
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);

/** Parses the text; undefined if it is empty. An invalid number stays text, which the schema refuses. */
function valueOf({ kind, choices, required }: SchemaField, text: string): unknown {
  if (text === "") return kind === "text" && required ? "" : undefined;
  if (kind === "flag") return text === "true";
  if (kind === "choice") return choices.find((choice) => String(choice) === text);
  const number = Number(text);
  return kind === "text" || !Number.isFinite(number) ? text : number;
}
