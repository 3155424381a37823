import { CircleCheck, CircleDashed, CircleSlash } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { OperationClass } from "../../../server/contract/provider/operations/fidelity-schema.ts";
import { Badge, type BadgeStyle } from "../../ui/marks/badge.tsx";

const styles: Readonly<Record<OperationClass, BadgeStyle>> = {
  exact: { tone: "up", icon: CircleCheck },
  partial: { tone: "info", icon: CircleDashed },
  not_simulated: { tone: "neutral", icon: CircleSlash },
};

export function ClassBadge({ name }: { name: OperationClass }) {
  const { t } = useTranslation();
  return <Badge {...styles[name]}>{t(`fidelity.class.${name}`)}</Badge>;
}
