import { ActionIcon } from "@mantine/core";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";

/** How many rows the filters select, "500 of 5,344", with a button that clears all filters; without filters, `children`. */
export function FilterCount(props: {
  matched: number | undefined;
  all: number | undefined;
  /** Absent without filters. */
  onClear: (() => void) | undefined;
  /** The number of all rows in words. */
  children?: string | undefined;
}) {
  const { t } = useTranslation();
  const { matched, all, onClear, children } = props;
  const isPart = matched !== undefined && all !== undefined && (onClear !== undefined || matched < all);
  return (
    <>
      {isPart ? t("common.matched", { matched, all }) : children}
      {onClear && (
        <ActionIcon
          size={20}
          ms={4}
          title={t("common.clearFilters")}
          aria-label={t("common.clearFilters")}
          onClick={onClear}
        >
          <X size={12} aria-hidden />
        </ActionIcon>
      )}
    </>
  );
}
