import classes from "./sidebar.module.css";

export function Brand({ collapsed }: { collapsed: boolean }) {
  return (
    <div className={classes.brand}>
      <img src={`${import.meta.env.BASE_URL}icon.svg`} width={22} height={22} alt={collapsed ? "Hearth" : ""} />
      {!collapsed && <span className={classes.brandName}>Hearth</span>}
    </div>
  );
}
