import { NumberField } from "../../ui/forms/number-field.tsx";

/** An amount of money that is typed in yuan and kept in fen. Undefined: empty. */
export function AmountField(props: {
  label: string;
  /** Absent: the label is only for assistive technology. */
  showsLabel?: boolean;
  fen: number | undefined;
  most: number;
  placeholder?: string;
  required?: boolean;
  disabled?: boolean;
  onChange: (fen: number | undefined) => void;
}) {
  const { label, showsLabel = false, fen, most } = props;
  return (
    <NumberField
      {...(showsLabel ? { label } : { "aria-label": label })}
      prefix="¥"
      decimalScale={2}
      fixedDecimalScale
      thousandSeparator=""
      hideControls
      min={0.01}
      max={most / 100}
      placeholder={props.placeholder ?? ""}
      required={props.required ?? false}
      disabled={props.disabled ?? false}
      value={fen === undefined ? undefined : fen / 100}
      onChange={(yuan) => props.onChange(yuan === undefined ? undefined : Math.round(yuan * 100))}
    />
  );
}
