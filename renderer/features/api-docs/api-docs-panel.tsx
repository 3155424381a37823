import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.tsx";
import { ApiControls } from "./api-controls.tsx";
import { ApiFrame } from "./api-frame.tsx";
import { useSignIn } from "./use-sign-in.ts";

/** The description of the API, which tries operations out. */
export function ApiDocsPanel() {
  const { t } = useTranslation();
  const signIn = useSignIn();
  return (
    <Page title={t("apiDocs.title")} fill controls={<ApiControls {...signIn} />}>
      <ApiFrame token={signIn.token} />
    </Page>
  );
}
