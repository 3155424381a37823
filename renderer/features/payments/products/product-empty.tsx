import { Package } from "lucide-react";
import { useTranslation } from "react-i18next";
import { appOrigin } from "../../../api/http/app-origin.ts";
import { useOverview } from "../../../api/queries/use-overview.ts";
import { CodeBlock } from "../../../ui/code/code-block.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import type { ProductName } from "./product-names.ts";
import { products } from "./products.ts";

/** Names the call that makes the first entry appear. */
export function ProductEmpty({ name }: { name: ProductName }) {
  const { t } = useTranslation();
  const { data } = useOverview();
  return (
    <EmptyState
      icon={<Package size={26} strokeWidth={1.5} aria-hidden />}
      title={t(`payments.products.empty.${name}.title`)}
      text={t(`payments.products.empty.${name}.text`)}
    >
      <CodeBlock
        code={products[name].example(data?.addresses.provider ?? appOrigin)}
        name={t("payments.products.call")}
      />
    </EmptyState>
  );
}
