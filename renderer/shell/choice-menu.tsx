import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import type { LucideIcon } from "lucide-react";

/** A small menu of the top bar: one of a few choices. */
export function ChoiceMenu<Value extends string>(props: {
  label: string;
  icon: LucideIcon;
  value: Value;
  choices: readonly { value: Value; label: string; lang?: string }[];
  onChoose: (value: Value) => void;
}) {
  const Icon = props.icon;
  const chosen = props.choices.find(({ value }) => value === props.value);
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={`${props.label}: ${chosen?.label ?? ""}`}>
          <ActionIcon aria-label={`${props.label}: ${chosen?.label ?? ""}`}>
            <Icon size={16} strokeWidth={1.75} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={props.value} onChange={(value) => props.onChoose(value as Value)}>
          {props.choices.map(({ value, label, lang }) => (
            <Menu.RadioItem key={value} value={value} lang={lang} closeMenuOnClick>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
