import { Button } from "@mantine/core";
import { Table2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CollectionView } from "../../../server/contract/console/data/collection-endpoints.ts";
import { useCommand } from "../../api/queries/use-command.ts";
import { appOrigin } from "../../api/http/app-origin.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { itemDraftOf } from "./items/item-draft.ts";

/** An empty list: how to create an item, or how to clear the search. */
export function CollectionsEmpty(props: { collection: CollectionView; filtered: boolean; onShowAll: () => void }) {
  const { t } = useTranslation();
  const { data } = useOverview();
  const commandOf = useCommand();
  const icon = <Table2 size={26} strokeWidth={1.5} aria-hidden />;
  if (props.filtered)
    return (
      <EmptyState icon={icon} title={t("collections.noMatch")} text={t("collections.noMatchText")}>
        <Button onClick={props.onShowAll}>{t("collections.showAll")}</Button>
      </EmptyState>
    );
  const body = JSON.stringify(itemDraftOf(props.collection.schema, props.collection.relations));
  const code = `curl ${data?.addresses.app ?? appOrigin}${props.collection.path} \\
  -H "Authorization: Bearer $(${commandOf("token")})" -H 'content-type: application/json' \\
  -d '${body.replaceAll("'", "'\\''")}'`;
  return (
    <EmptyState icon={icon} title={t("collections.emptyTitle")} text={t("collections.emptyText")}>
      <CodeBlock code={code} name="curl" />
    </EmptyState>
  );
}
