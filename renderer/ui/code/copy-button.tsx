import { ActionIcon, Tooltip } from "@mantine/core";
import { useTimeout } from "@mantine/hooks";
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCopy } from "./use-copy.ts";

/** Copies `value`; `name` describes it for users of assistive technology. */
export function CopyButton({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [isCopied, setCopied] = useState(false);
  const end = useTimeout(() => setCopied(false), 1_500);
  const press = async () => {
    if (!(await copy(value))) return;
    setCopied(true);
    end.clear();
    end.start();
  };
  const label = isCopied ? t("common.copied") : t("common.copyName", { name });
  return (
    <Tooltip label={isCopied ? t("common.copied") : t("common.copy")} openDelay={isCopied ? 0 : 300}>
      <ActionIcon size={22} aria-label={label} onClick={() => void press()}>
        {isCopied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
