import { ActionIcon, Tooltip } from "@mantine/core";
import { Suspense, useState } from "react";
import { lazyPart, useFetchedEarly } from "../../ui/lazy-part.ts";
import type { ChoiceProps } from "./choice.ts";

const ChoiceMenu = lazyPart(
  () => import("./choice-menu.tsx"),
  (file) => file.ChoiceMenu,
);

/** A small menu of the top bar with a few choices. The menu's code is fetched after the page. */
export function ChoiceButton(props: ChoiceProps) {
  useFetchedEarly(ChoiceMenu);
  const [wanted, setWanted] = useState(false);
  const Icon = props.icon;
  const label = `${props.label}: ${props.choices.find(({ value }) => value === props.value)?.label ?? ""}`;
  const button = (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} aria-haspopup="menu" onClick={() => setWanted(true)}>
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
