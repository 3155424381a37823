import { Button, VisuallyHidden } from "@mantine/core";
import { Braces } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BodyView } from "./body-view.tsx";
import { Keys } from "./keys.tsx";
import { useShortcut } from "./shortcuts.ts";
import classes from "./raw-view.module.css";

/**
 * Turns between how an object is told (`children`) and the JSON that it is on the wire, by the button or the key `r`.
 * `name` says what the object is.
 */
export function RawToggle({ value, name, children }: { value: unknown; name: string; children?: ReactNode }) {
  const { t } = useTranslation();
  const [raw, setRaw] = useState(false);
  useShortcut("r", t("common.toggleRaw"), () => setRaw((shown) => !shown));
  return (
    <div>
      <div className={classes.head}>
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
              <Keys keys="r" />
            </span>
          </span>
        </Button>
      </div>
      {raw ? (
        <BodyView text={JSON.stringify(value, null, 2) ?? "null"} mediaType="application/json" label={name} />
      ) : (
        children
      )}
    </div>
  );
}
