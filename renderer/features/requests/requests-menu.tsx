import { ActionIcon, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download, Ellipsis, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { deleteRequests, exportHar } from "../../../server/contract/console/traffic/request-endpoints.ts";
import { useApi } from "../../api/use-api.ts";
import { searchOf } from "../../../server/contract/request-address.ts";
import { useShowFailure } from "../../api/actions/use-show-failure.ts";
import { useActions } from "../../ui/keyboard/actions.ts";
import { useConfirm } from "../../ui/dialogs/confirm.tsx";
import { useToast } from "../../ui/dialogs/toast.ts";
import { filterOf, isFiltered } from "./request-filter.ts";
import type { RequestsSearch } from "./requests-search.ts";

/** The most requests in one archive. */
const mostInArchive = 10_000;

/** Actions on the whole list. */
export function RequestsMenu({ search }: { search: RequestsSearch }) {
  const { t } = useTranslation();
  const { call } = useApi();
  const queries = useQueryClient();
  const confirm = useConfirm();
  const toast = useToast();
  const showFailure = useShowFailure();
  const clear = useMutation({
    mutationFn: () => call(deleteRequests),
    onSuccess: () => {
      toast.success(t("requests.cleared"));
      for (const queryKey of [["requests"], ["request"], ["pinned-request"]]) void queries.resetQueries({ queryKey });
    },
    onError: showFailure,
  });
  const askAndClear = async () => {
    const question = { title: t("requests.clearTitle"), text: t("requests.clearText"), action: t("requests.clear") };
    if (await confirm({ ...question, danger: true })) clear.mutate();
  };
  useActions([
    {
      id: "requests.clear",
      label: t("requests.clearTitle"),
      group: t("requests.title"),
      icon: Trash2,
      run: () => void askAndClear(),
    },
  ]);
  const archive = exportHar.path + searchOf({ ...filterOf(search), limit: mostInArchive });
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={t("requests.more")} variant="default">
          <Ellipsis size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={archive} download="hearth.har" leftSection={<Download size={14} aria-hidden />}>
          {t(isFiltered(search) ? "requests.exportFiltered" : "requests.export")}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={() => void askAndClear()}>
          {t("requests.clear")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
