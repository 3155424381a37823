import { Notification } from "electron";

/** The notifications on the screen. One without a reference is garbage-collected, and a click on it is lost. */
const visible = new Set<Notification>();

/** Shows a notification of the system, where it has them. */
export function showNotification({ title, body }: { title: string; body: string }, onClick: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body });
  const forget = () => void visible.delete(notification);
  notification.on("click", () => {
    forget();
    onClick();
  });
  notification.on("close", forget);
  notification.on("failed", forget);
  visible.add(notification);
  notification.show();
}
