/** The shell's own actions and shortcuts, available on every page. */
import { useMantineColorScheme } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import {
  FolderPlus,
  Keyboard,
  Languages,
  MessageSquarePlus,
  PanelLeft,
  RotateCw,
  Send,
  ShoppingCart,
  SunMoon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { restartService } from "../../server/contract/console/console-endpoints.ts";
import type { ServiceStatus } from "../../server/contract/process/services.ts";
import { useApi } from "../api/use-api.ts";
import { useShowFailure } from "../api/actions/use-show-failure.ts";
import { languages, type Language } from "../i18n/languages.ts";
import { useActions, type Action } from "../ui/keyboard/actions.ts";
import { useConfirm } from "../ui/dialogs/confirm.tsx";
import { useShortcut, useShortcuts } from "../ui/keyboard/shortcuts.ts";
import { useEffect, useEffectEvent } from "react";
import { allPages } from "./sidebar/nav-items.ts";
import { useChooseLanguage } from "./choices/use-choose-language.ts";

/** Renders nothing. A component, so that its code is loaded after the first page. */
export function ShellCommands(props: {
  services: readonly ServiceStatus[];
  onPalette: () => void;
  onHelp: () => void;
  onToggleSidebar: () => void;
}): null {
  const { t } = useTranslation();
  usePageKeys();
  useShortcut("mod+k", t("palette.open"), props.onPalette);
  useShortcut("?", t("keys.title"), props.onHelp);
  useShortcut("mod+b", t("palette.sidebar"), props.onToggleSidebar);
  useActions([
    ...usePageActions(),
    ...useWorkActions(),
    ...useServiceActions(props.services),
    ...useAppearanceActions(props),
  ]);
  return null;
}

/** `g` followed by the letter of a page. */
function usePageKeys(): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const shortcuts = useShortcuts();
  const go = useEffectEvent((to: (typeof allPages)[number]["item"]["to"]) => void navigate({ to }));
  useEffect(() => {
    const removals = allPages.map(({ item }) =>
      shortcuts.add({ keys: `g ${item.letter}`, label: t(`nav.${item.label}`), run: () => go(item.to) }),
    );
    return () => {
      for (const remove of removals) remove();
    };
  }, [shortcuts, t]);
}

function usePageActions(): Action[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return allPages.map(({ group, item }) => ({
    id: `page.${item.label}`,
    group: t("palette.pages"),
    label: t(`nav.${item.label}`),
    icon: item.icon,
    keywords: t(`nav.${group}`),
    keys: `g ${item.letter}`,
    run: () => void navigate({ to: item.to }),
  }));
}

/** Actions that start on another page, available everywhere. */
function useWorkActions(): Action[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const group = t("palette.actions");
  return [
    {
      id: "work.chat",
      group,
      label: t("palette.newChat"),
      icon: MessageSquarePlus,
      run: () => void navigate({ to: "/chat", search: { conversation: "new" } }),
    },
    {
      id: "work.folder",
      group,
      label: t("palette.watchFolder"),
      icon: FolderPlus,
      run: () => void navigate({ to: "/file-events", search: { folder: "new" } }),
    },
    {
      id: "work.order",
      group,
      label: t("palette.placeOrder"),
      icon: ShoppingCart,
      run: () => void navigate({ to: "/payments", search: { place: "JSAPI" } }),
    },
    {
      id: "work.request",
      group,
      label: t("palette.newRequest"),
      icon: Send,
      run: () => void navigate({ to: "/requests", search: { request: "new" } }),
    },
  ];
}

function useServiceActions(services: readonly ServiceStatus[]): Action[] {
  const { t } = useTranslation();
  const { call } = useApi();
  const confirm = useConfirm();
  const showFailure = useShowFailure();
  const restart = async (service: ServiceStatus) => {
    const name = t(`service.${service.name}`);
    const label = t("palette.restart", { name });
    if (!(await confirm({ title: label, text: t("palette.restartText"), action: t("palette.restartShort") }))) return;
    await call(restartService, { params: { name: service.name }, body: {} }).catch(showFailure);
  };
  return services
    .filter(({ state }) => state !== "external")
    .map((service) => ({
      id: `service.${service.name}`,
      group: t("top.services"),
      label: t("palette.restart", { name: t(`service.${service.name}`) }),
      icon: RotateCw,
      run: () => void restart(service),
    }));
}

function useAppearanceActions(props: { onHelp: () => void; onToggleSidebar: () => void }): Action[] {
  const { t } = useTranslation();
  const chooseLanguage = useChooseLanguage();
  const { setColorScheme } = useMantineColorScheme();
  const group = t("palette.look");
  const themes = { light: t("top.themeLight"), dark: t("top.themeDark"), auto: t("top.themeAuto") } as const;
  return [
    ...Object.entries(themes).map(([theme, label]) => ({
      id: `theme.${theme}`,
      group,
      label: `${t("top.theme")}: ${label}`,
      icon: SunMoon,
      run: () => setColorScheme(theme as keyof typeof themes),
    })),
    ...Object.entries(languages).map(([language, label]) => ({
      id: `language.${language}`,
      group,
      label: `${t("top.language")}: ${label}`,
      icon: Languages,
      run: () => void chooseLanguage(language as Language),
    })),
    { id: "sidebar", group, label: t("palette.sidebar"), icon: PanelLeft, keys: "mod+b", run: props.onToggleSidebar },
    { id: "keys", group, label: t("keys.title"), icon: Keyboard, keys: "?", run: props.onHelp },
  ];
}
