import "@mantine/spotlight/styles.layer.css";
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Action } from "../ui/keyboard/actions.ts";
import { ShortcutKeys } from "../ui/keyboard/keys.tsx";
import classes from "./command-palette.module.css";

/** Finds a page or an action by name. `opened` counts the requests to open it. */
export function CommandPalette({ actions, opened }: { actions: readonly Action[]; opened: number }) {
  const { t } = useTranslation();
  const [[store, { open }]] = useState(createSpotlight);
  useEffect(open, [open, opened]);
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={grouped(actions)}
      nothingFound={t("palette.nothing")}
      scrollable
      maxHeight={440}
      attributes={{ content: { "aria-label": t("palette.open") } }}
      searchProps={{
        placeholder: t("palette.placeholder"),
        "aria-label": t("palette.placeholder"),
        leftSection: <Search size={16} aria-hidden />,
      }}
      transitionProps={{ duration: 100 }}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      classNames={{
        content: classes.content ?? "",
        search: classes.search ?? "",
        actionsList: classes.list ?? "",
        actionsGroup: classes.group ?? "",
        action: classes.action ?? "",
        actionLabel: classes.label ?? "",
      }}
    />
  );
}

function grouped(actions: readonly Action[]): SpotlightActionGroupData[] {
  const groups = Map.groupBy(actions, ({ group }) => group);
  return [...groups].map(([group, members]) => ({
    group,
    actions: members.map(({ id, label, icon: Icon, keywords, keys, run }) => ({
      id,
      label,
      leftSection: Icon && <Icon size={15} strokeWidth={1.75} aria-hidden />,
      rightSection: keys !== undefined && <ShortcutKeys keys={keys} />,
      ...(keywords !== undefined && { keywords }),
      onClick: run,
    })),
  }));
}
