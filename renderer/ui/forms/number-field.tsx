import { NumberInput, type NumberInputProps } from "@mantine/core";
import { useState } from "react";
import { numberOf, displayedNumber, type TypedNumber } from "./typed-number.ts";

interface NumberFieldProps extends Omit<NumberInputProps, "value" | "onChange"> {
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** A field for a number, whose value is always a number or none, also while it is typed. */
export function NumberField({ value, onChange, ...others }: NumberFieldProps) {
  const [typed, setTyped] = useState<TypedNumber>("");
  return (
    <NumberInput
      {...others}
      value={displayedNumber(typed, value)}
      onChange={(next) => {
        setTyped(next);
        onChange(numberOf(next));
      }}
    />
  );
}
