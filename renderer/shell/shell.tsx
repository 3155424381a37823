import { useDisclosure, useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { isLockedOut } from "../api/console-error.ts";
import { useConnection, useOverview, useOverviewSync } from "../api/use-overview.ts";
import { LockedPage } from "./locked-page.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TopBar } from "./top-bar.tsx";
import classes from "./shell.module.css";

/** Only narrow windows need it. */
const MenuDrawer = lazy(() =>
  import("./menu-drawer.tsx").then(({ MenuDrawer: component }) => ({ default: component })),
);

/** What stays while pages change: the sidebar, the top bar, and the page that tells how to get in. */
export function Shell() {
  const { t } = useTranslation();
  useOverviewSync();
  const overview = useOverview();
  const connection = useConnection();
  const narrow = useMediaQuery("(max-width: 47.99em)", undefined, { getInitialValueInEffect: false });
  const [menu, { open, close }] = useDisclosure(false);
  const [collapsed, setCollapsed] = useLocalStorage({
    key: "hearth.sidebar-collapsed",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (isLockedOut(overview.error)) return <LockedPage />;
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
          onOpenMenu={narrow ? open : undefined}
        />
        <main id="content" tabIndex={-1} className={classes.content}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}
