import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { useState } from "react";
import type { ChoiceProps } from "./choice.ts";

/** The menu of a choice button. It is open from the start, because it is loaded on demand. */
export function ChoiceMenu(props: ChoiceProps) {
  const [opened, setOpened] = useState(true);
  const Icon = props.icon;
  const chosen = props.choices.find(({ value }) => value === props.value);
  const label = `${props.label}: ${chosen?.label ?? ""}`;
  // Inside the bar and without a focus placeholder, so that assistive technology finds it where it expects it.
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
        <Menu.RadioGroup value={props.value} onChange={(value) => props.onChoose(value)}>
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
