import { ActionIcon, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Brand } from "./brand.tsx";
import { navGroups, ownItems, type NavItem } from "./nav-items.ts";
import classes from "./sidebar.module.css";

/** The list of pages. Collapsed, it shows icons with the names as tooltips. `onNavigate` is called after a choice. */
export function Sidebar(props: { collapsed: boolean; onToggle?: () => void; onNavigate?: () => void }) {
  const { t } = useTranslation();
  const { collapsed, onToggle, onNavigate } = props;
  const toggleLabel = collapsed ? t("nav.expand") : t("nav.collapse");
  const ToggleIcon = collapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav aria-label={t("nav.label")} className={classes.sidebar} data-collapsed={collapsed}>
      <Brand collapsed={collapsed} />
      <div className={classes.nav}>
        {navGroups.map((group) => (
          <div key={group.label} className={classes.group}>
            <div className={classes.groupLabel} aria-hidden={collapsed}>
              <span>{t(`nav.${group.label}`)}</span>
            </div>
            <ul className={classes.items} aria-label={t(`nav.${group.label}`)}>
              {group.items.map((item) => (
                <li key={item.to}>
                  <SidebarLink item={item} collapsed={collapsed} onNavigate={onNavigate} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={classes.foot}>
        {ownItems.map((item) => (
          <SidebarLink key={item.to} item={item} collapsed={collapsed} onNavigate={onNavigate} />
        ))}
        {onToggle && (
          <Tooltip label={toggleLabel} position="right">
            <ActionIcon aria-label={toggleLabel} aria-expanded={!collapsed} onClick={onToggle}>
              <ToggleIcon size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </nav>
  );
}

function SidebarLink(props: { item: NavItem; collapsed: boolean; onNavigate: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { item, collapsed, onNavigate } = props;
  const name = t(`nav.${item.label}`);
  const Icon = item.icon;
  const link = (
    <Link
      to={item.to}
      className={classes.link}
      activeOptions={{ exact: item.to === "/", includeSearch: false }}
      aria-label={name}
      {...(onNavigate && { onClick: onNavigate })}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span className={classes.linkLabel}>{name}</span>
    </Link>
  );
  return collapsed ? (
    <Tooltip label={name} position="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}
