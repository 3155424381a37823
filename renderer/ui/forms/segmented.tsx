import { SegmentedControl } from "@mantine/core";

/** Switches between a few views of the same content. */
export function Segmented<Value extends string>(props: {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}) {
  return (
    <SegmentedControl
      aria-label={props.label}
      size="xs"
      value={props.value}
      data={props.choices.map((choice) => ({ ...choice }))}
      onChange={(value) => props.onChange(value)}
    />
  );
}
