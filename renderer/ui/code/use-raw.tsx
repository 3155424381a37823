import { Button, VisuallyHidden } from "@mantine/core";
import { Braces } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ShortcutKeys } from "../keyboard/keys.tsx";
import { useShortcut } from "../keyboard/shortcuts.ts";
import classes from "./use-raw.module.css";

/**
 * Whether an object is shown as on the wire, and the button that switches it, like the key `r`. `name` describes the
 * object.
 */
export function useRaw(name: string): { raw: boolean; rawButton: ReactNode } {
  const { t } = useTranslation();
  const [raw, setRaw] = useState(false);
  useShortcut("r", t("common.toggleRaw"), () => setRaw((isRaw) => !isRaw));
  const rawButton = (
    <Button
      size="compact-xs"
      aria-pressed={raw}
      leftSection={<Braces size={12} aria-hidden />}
      onClick={() => setRaw(!raw)}
    >
      <VisuallyHidden>{t("common.rawOf", { name })}</VisuallyHidden>
      <span aria-hidden>
        {t("common.raw")}
        <span className={classes.key}>
          <ShortcutKeys keys="r" />
        </span>
      </span>
    </Button>
  );
  return { raw, rawButton };
}
