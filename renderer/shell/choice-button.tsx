import { ActionIcon, Tooltip } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { ChoiceProps } from "./choice.ts";

const loadMenu = () => import("./choice-menu.tsx");
const ChoiceMenu = lazy(() => loadMenu().then((file) => ({ default: file.ChoiceMenu })));

/** A small menu of the top bar with a few choices. The menu's code is loaded when the pointer or focus approaches. */
export function ChoiceButton(props: ChoiceProps) {
  const [wanted, setWanted] = useState(false);
  const Icon = props.icon;
  const label = `${props.label}: ${props.choices.find(({ value }) => value === props.value)?.label ?? ""}`;
  const button = (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        aria-haspopup="menu"
        onPointerEnter={() => void loadMenu()}
        onFocus={() => void loadMenu()}
        onClick={() => setWanted(true)}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
  return wanted ? (
    <Suspense fallback={button}>
      <ChoiceMenu {...props} />
    </Suspense>
  ) : (
    button
  );
}
