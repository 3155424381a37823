import classes from "./keys.module.css";

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const names: Record<string, string> = { mod: isMac ? "⌘" : "Ctrl", Escape: "Esc" };

/** The keys of a shortcut as on a keyboard. `keys` has the format of `useShortcut`. */
export function ShortcutKeys({ keys }: { keys: string }) {
  return (
    <span className={classes.keys}>
      {keys.split(/[ +]/).map((key, index) => (
        <kbd key={index} className={classes.key}>
          {names[key] ?? (keys.includes("+") ? key.toUpperCase() : key)}
        </kbd>
      ))}
    </span>
  );
}
