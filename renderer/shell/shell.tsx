import { useDisclosure, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useConnection, useOverview } from "../api/queries/use-overview.ts";
import { useActionsRegistry, type Action } from "../ui/keyboard/actions.ts";
import { lazyPart, useFetchedEarly } from "../ui/lazy-part.ts";
import { DisconnectedBar } from "./bars/disconnected-bar.tsx";
import { ShellCommands } from "./shell-commands.ts";
import { Sidebar } from "./sidebar/sidebar.tsx";
import { TopBar } from "./bars/top-bar.tsx";
import { WindowBridge } from "./window-bridge.tsx";
import { hearthWindow } from "../api/desktop/hearth-window.ts";
import classes from "./shell.module.css";

/** Loaded on demand: only narrow windows need it. */
const MenuDrawer = lazyPart(
  () => import("./sidebar/menu-drawer.tsx"),
  (file) => file.MenuDrawer,
);
const CommandPalette = lazyPart(
  () => import("./command-palette.tsx"),
  (file) => file.CommandPalette,
);
const WaitingDevices = lazyPart(
  () => import("./waiting-devices.tsx"),
  (file) => file.WaitingDevices,
);
const ShortcutsDialog = lazyPart(
  () => import("./shortcuts-dialog.tsx"),
  (file) => file.ShortcutsDialog,
);
/** Loaded in the desktop window only. */
const UpdateBar = lazyPart(
  () => import("./bars/update-bar.tsx"),
  (file) => file.UpdateBar,
);

/** The parts that stay while pages change: the sidebar and the top bar. */
export function Shell() {
  const { t } = useTranslation();
  useFetchedEarly(CommandPalette, ShortcutsDialog, WaitingDevices);
  const overview = useOverview();
  const connection = useConnection();
  const narrow = useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false });
  const waiting = overview.data?.waiting_devices ?? [];
  const [menu, { open, close }] = useDisclosure(false);
  const [collapsed, setCollapsed] = useLocalStorage({
    key: "hearth.sidebar-collapsed",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [palette, setPalette] = useState<{ actions: readonly Action[]; opened: number }>();
  const [help, setHelp] = useState<boolean>();
  const actions = useActionsRegistry();
  const openPalette = () => {
    // The page's own actions come first. They are read here, because React may run the update while it renders.
    const offered = actions.items
      .getState()
      .toReversed()
      .flatMap((read) => read());
    setPalette((before) => ({ actions: offered, opened: (before?.opened ?? 0) + 1 }));
  };
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        {t("nav.skip")}
      </a>
      {!narrow && (
        <div className={classes.side}>
          <Sidebar collapsed={collapsed} onToggle={() => setCollapsed(!collapsed)} />
        </div>
      )}
      {narrow && (
        <Suspense>
          <MenuDrawer opened={menu} onClose={close} />
        </Suspense>
      )}
      <div className={classes.main}>
        <TopBar
          services={overview.data?.services ?? []}
          connection={connection}
          onOpenPalette={openPalette}
          onOpenMenu={narrow ? open : undefined}
        />
        <main id="content" tabIndex={-1} className={classes.content}>
          <Outlet />
        </main>
        {connection === "reconnecting" && <DisconnectedBar />}
        <Suspense>{waiting.length > 0 && <WaitingDevices devices={waiting} />}</Suspense>
        <Suspense>{hearthWindow && <UpdateBar program={hearthWindow} />}</Suspense>
      </div>
      <ShellCommands
        services={overview.data?.services ?? []}
        onPalette={openPalette}
        onHelp={() => setHelp(true)}
        onToggleSidebar={() => setCollapsed(!collapsed)}
      />
      {hearthWindow && <WindowBridge to={hearthWindow} />}
      <Suspense>{palette && <CommandPalette {...palette} />}</Suspense>
      <Suspense>{help !== undefined && <ShortcutsDialog opened={help} onClose={() => setHelp(false)} />}</Suspense>
    </div>
  );
}
