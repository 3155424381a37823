import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Copy, PencilLine, Pin, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import {
  getRequestSnippet,
  replayRequest,
  snippetFormats,
} from "../../../server/contract/console/traffic/request-endpoints.ts";
import type { RecordedRequest } from "../../../server/contract/console/traffic/requests.ts";
import { useApi } from "../../api/use-api.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useCopy } from "../../ui/code/use-copy.ts";
import { useToast } from "../../ui/dialogs/toast.ts";
import classes from "./requests.module.css";

const formatNames = { curl: "curl", fetch: "fetch", httpie: "HTTPie" } as const;

/** Actions on the open request. */
export function RequestTools(props: {
  request: RecordedRequest;
  pinned: boolean;
  onPin: () => void;
  editing: boolean;
  onEdit: () => void;
  onSent: (id: number) => void;
}) {
  const { t } = useTranslation();
  const { call, send } = useApi();
  const toast = useToast();
  const showFailure = useShowFailure();
  const { request } = props;
  const resend = useMutation({
    mutationFn: () => call(replayRequest, { params: { id: request.id }, body: {} }),
    onSuccess: ({ id }) => props.onSent(id),
    onError: showFailure,
  });
  const copyText = useCopy();
  const copy = async (format: (typeof snippetFormats)[number]) => {
    try {
      const path = getRequestSnippet.path.replace("{id}", String(request.id)).replace("{format}", format);
      if (await copyText(await (await send(path)).text()))
        toast.success(t("requests.copiedAs", { format: formatNames[format] }));
    } catch (error) {
      showFailure(error);
    }
  };
  const pinLabel = t(props.pinned ? "requests.unpin" : "requests.pin");
  return (
    <span className={classes.tools}>
      <Tooltip label={pinLabel}>
        <ActionIcon aria-label={pinLabel} aria-pressed={props.pinned} onClick={props.onPin}>
          <Pin size={14} aria-hidden fill={props.pinned ? "currentColor" : "none"} />
        </ActionIcon>
      </Tooltip>
      <Menu>
        <Menu.Target>
          <Button leftSection={<Copy size={13} aria-hidden />}>{t("requests.copyAs")}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {snippetFormats.map((format) => (
            <Menu.Item key={format} onClick={() => void copy(format)}>
              {formatNames[format]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        leftSection={<PencilLine size={13} aria-hidden />}
        aria-expanded={props.editing}
        data-focus-home
        onClick={props.onEdit}
      >
        {t("requests.edit")}
      </Button>
      <Button
        leftSection={<RotateCw size={13} aria-hidden />}
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {t("requests.resend")}
      </Button>
    </span>
  );
}
