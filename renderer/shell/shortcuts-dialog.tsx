import { Switch } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { ShortcutKeys } from "../ui/keyboard/keys.tsx";
import { useShortcuts, type Shortcut } from "../ui/keyboard/shortcuts.ts";
import classes from "./shortcuts-dialog.module.css";

/** All shortcuts that are active now, and a switch for users who would press them by accident. */
export function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const all = useStore(useShortcuts().items);
  const [plainKeys, setPlainKeys] = useLocalStorage({
    key: "hearth.plain-keys",
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  return (
    <Dialog opened={opened} onClose={onClose} size="lg" title={t("keys.title")}>
      <ul className={classes.list}>
        {inWords(all, (page) => t("keys.goTo", { page })).map(({ keys, label }) => (
          <li key={label}>
            <span>{label}</span>
            <span>
              {keys.map((one) => (
                <span key={one}>
                  {" "}
                  <ShortcutKeys keys={one} />
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <Switch
        label={t("keys.plain")}
        description={t("keys.plainHint")}
        checked={plainKeys}
        onChange={(change) => setPlainKeys(change.currentTarget.checked)}
      />
    </Dialog>
  );
}

/** Each meaning once with all its keys: first this page's shortcuts, then those that open pages. */
function inWords(shortcuts: readonly Shortcut[], goTo: (page: string) => string) {
  const isWay = (keys: string) => keys.startsWith("g ");
  const labelled = shortcuts.map(({ keys, label }) => ({ keys, label: isWay(keys) ? goTo(label) : label }));
  const rows = [...Map.groupBy(labelled, ({ label }) => label)].map(([label, same]) => ({
    label,
    keys: [...new Set(same.map(({ keys }) => keys))],
  }));
  return [...rows.filter(({ keys }) => !keys.some(isWay)), ...rows.filter(({ keys }) => keys.some(isWay))];
}
