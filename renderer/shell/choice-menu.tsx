import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import type { LucideIcon } from "lucide-react";
import { useState } from "react";

/** A small menu of the top bar: one of a few choices. */
export function ChoiceMenu<Value extends string>(props: {
  label: string;
  icon: LucideIcon;
  value: Value;
  choices: readonly { value: Value; label: string; lang?: string }[];
  onChoose: (value: Value) => void;
}) {
  const [opened, setOpened] = useState(false);
  const Icon = props.icon;
  const chosen = props.choices.find(({ value }) => value === props.value);
  const label = `${props.label}: ${chosen?.label ?? ""}`;
  // Inside the bar and without a placeholder for the focus: both would leave the menu outside of what assistive technology expects.
  return (
    <Menu opened={opened} onChange={setOpened} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Tooltip label={label} disabled={opened}>
        <Menu.Target>
          <ActionIcon aria-label={label}>
            <Icon size={16} strokeWidth={1.75} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.RadioGroup value={props.value} onChange={(value) => props.onChoose(value as Value)}>
          {props.choices.map((choice) => (
            <Menu.RadioItem key={choice.value} value={choice.value} lang={choice.lang} closeMenuOnClick>
              {choice.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
