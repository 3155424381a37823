import { FolderUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { appOrigin } from "../../api/http/app-origin.ts";
import { useOverview } from "../../api/queries/use-overview.ts";
import { CodeBlock } from "../../ui/code/code-block.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

export function UploadsEmpty() {
  const { t } = useTranslation();
  const { data } = useOverview();
  const app = data?.addresses.app ?? appOrigin;
  const code = `curl ${app}/api/uploads \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -F type=project -F '[]=@picture.png'`;
  return (
    <EmptyState
      icon={<FolderUp size={26} strokeWidth={1.5} aria-hidden />}
      title={t("uploads.emptyTitle")}
      text={t("uploads.emptyText")}
    >
      <CodeBlock code={code} name="curl" />
    </EmptyState>
  );
}
