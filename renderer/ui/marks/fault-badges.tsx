import { Link } from "@tanstack/react-router";
import { Zap } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { FaultMark } from "../../../server/contract/fault-mark.ts";
import type { FaultName } from "../../i18n/en/fault-names.ts";
import { Badge } from "./badge.tsx";

/** Marks what faults of a test hit, and leads to each fault. */
export const FaultBadges = ({ faults = [] }: { faults: readonly FaultMark[] | undefined }) =>
  faults.map((fault) => <FaultBadge key={fault.key} fault={fault} />);

function FaultBadge({ fault: { key, kind } }: { fault: FaultMark }) {
  const { t } = useTranslation();
  return (
    <Link to="/faults" search={{ view: "advanced", fault: key }} onClick={(event) => event.stopPropagation()}>
      <Badge tone="busy" icon={Zap}>
        {t("faultNames.mark", { name: t(`faultNames.${kind as FaultName}`) })}
      </Badge>
    </Link>
  );
}
