import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { Check, Copy } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Copies `value`; `name` describes it for users of assistive technology. */
export function CopyButton({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 1_500 });
  const label = clipboard.copied ? t("common.copied") : t("common.copyName", { name });
  return (
    <Tooltip label={clipboard.copied ? t("common.copied") : t("common.copy")} openDelay={clipboard.copied ? 0 : 300}>
      <ActionIcon size={22} aria-label={label} onClick={() => clipboard.copy(value)}>
        {clipboard.copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
