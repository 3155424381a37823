import { useTranslation } from "react-i18next";
import { replayRequest } from "../../../server/contract/console/traffic/request-endpoints.ts";
import type { RecordedRequest } from "../../../server/contract/console/traffic/requests.ts";
import { useApi } from "../../api/use-api.ts";
import { changesOf, requestDraftOf } from "./request-draft.ts";
import { RequestForm } from "./request-form.tsx";

/** Edits and repeats a request; unchanged parts are sent as they were recorded. */
export function ResendForm(props: { request: RecordedRequest; onSent: (id: number) => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const { request, ...rest } = props;
  const original = requestDraftOf(request);
  return (
    <RequestForm
      {...rest}
      label={t("requests.edit")}
      initial={original}
      onSend={(draft, signal) =>
        call(replayRequest, { params: { id: request.id }, body: changesOf(original, draft), signal })
      }
    />
  );
}
