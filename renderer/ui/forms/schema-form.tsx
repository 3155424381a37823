import { Checkbox, NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NumberField } from "./number-field.tsx";
import type { Choice, FieldValues, SchemaField } from "./schema-fields.ts";
import classes from "./schema-form.module.css";
import { ownValue } from "./own-value.ts";

/** The properties of a field's input: its label, description, error and value, and the handler of a new one. */
export interface InputProps {
  readonly common: {
    label: ReactNode;
    description: ReactNode;
    withAsterisk: boolean;
    error: string | undefined;
  };
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

interface FormProps {
  fields: readonly SchemaField[];
  values: FieldValues;
  onChange: (values: FieldValues) => void;
  /** Error messages by the name of the field. */
  errors?: Readonly<Record<string, string>>;
  /** Translates a description into the user's language. */
  say?: (text: string) => string;
  /** An input of the page's own for a field; undefined: the usual one. */
  inputOf?: (field: SchemaField, props: InputProps) => ReactNode;
}

const unchanged = (text: string) => text;

/** Fields for the members of an object, each under its name on the wire with its schema's description. */
export function SchemaForm({ fields, values, onChange, errors = {}, say = unchanged, inputOf }: FormProps) {
  return (
    <div className={classes.form}>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={ownValue(values, field.name)}
          error={ownValue(errors, field.name)}
          say={say}
          inputOf={inputOf}
          onChange={(value) => onChange({ ...values, [field.name]: value })}
        />
      ))}
    </div>
  );
}

function Field(props: {
  field: SchemaField;
  value: unknown;
  error: string | undefined;
  say: (text: string) => string;
  inputOf: FormProps["inputOf"];
  onChange: (value: unknown) => void;
}) {
  const { t } = useTranslation();
  const { field, value, onChange } = props;
  const common = {
    label: <span className={classes.name}>{field.name}</span>,
    description: field.description === undefined ? undefined : <Described text={props.say(field.description)} />,
    withAsterisk: field.required,
    error: props.error,
  };
  const own = props.inputOf?.(field, { common, value, onChange });
  if (own !== undefined) return own;
  const fallback = textOf(field.fallback);
  switch (field.kind) {
    case "choice":
      return (
        <NativeSelect
          {...common}
          value={textOf(value)}
          onChange={(change) => onChange(chosen(field.choices, change.currentTarget.value))}
          data={[
            { value: "", label: field.fallback === undefined ? "–" : t("common.unlessGiven", { value: fallback }) },
            ...field.choices.map(String),
          ]}
        />
      );
    case "choices":
      return (
        <Checkbox.Group
          {...common}
          value={((value as Choice[] | undefined) ?? []).map(String)}
          onChange={(all) => onChange(all.map((text) => chosen(field.choices, text)))}
          className={classes.group}
        >
          <div className={classes.choices}>
            {field.choices.map((choice) => (
              <Checkbox key={choice} value={String(choice)} label={<span className={classes.name}>{choice}</span>} />
            ))}
          </div>
        </Checkbox.Group>
      );
    case "flag":
      return (
        <Switch
          label={common.label}
          description={common.description}
          error={common.error}
          checked={value === true}
          onChange={(change) => onChange(change.currentTarget.checked)}
        />
      );
    case "integer":
    case "number":
      return (
        <NumberField
          {...common}
          value={value as number | undefined}
          placeholder={fallback}
          allowDecimal={field.kind === "number"}
          allowNegative={field.minimum === undefined || field.minimum < 0}
          {...(field.minimum !== undefined && { min: field.minimum })}
          {...(field.maximum !== undefined && { max: field.maximum })}
          step={field.maximum === 1 ? 0.1 : 1}
          onChange={onChange}
        />
      );
    case "text":
    case "json": {
      const Input = field.kind === "json" ? Textarea : TextInput;
      return (
        <Input
          {...common}
          value={(value as string | undefined) ?? ""}
          placeholder={field.kind === "json" ? "{ }" : fallback}
          onChange={(change) => onChange(change.currentTarget.value)}
        />
      );
    }
  }
}

const chosen = (choices: readonly Choice[], text: string) => choices.find((choice) => String(choice) === text);

/** A plain value as a field's text. */
const textOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** A description; text between backticks is shown as on the wire. */
const Described = ({ text }: { text: string }) =>
  text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={index} className={classes.name}>
        {part}
      </code>
    ),
  );
