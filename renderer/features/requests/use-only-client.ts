import { useLocalStorage } from "@mantine/hooks";
import { useMemo } from "react";
import type { RequestsSearch } from "./requests-search.ts";

/**
 * Hides the requests of Hearth itself unless the reader has chosen otherwise; the browser remembers the choice. A link to
 * a sender, a flow or a trace, and the waterfall, show all of them.
 */
export function useOnlyClient(search: RequestsSearch) {
  const [isChosen, choose] = useLocalStorage({
    key: "hearth.requests.only-client",
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const { sender, flow, trace, view } = search;
  const isFree = (sender ?? flow ?? trace ?? view) === undefined;
  const isOn = sender === "client" || (isFree && isChosen);
  return {
    search: isOn ? { ...search, sender: "client" as const } : search,
    onlyClient: useMemo(() => ({ isOn, choose }), [isOn, choose]),
  };
}

export type OnlyClient = ReturnType<typeof useOnlyClient>["onlyClient"];
