/** The window's own session: what its pages keep, may ask for and download. */
import { app, session, type Session } from "electron";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";

const name = "console";

/** The only thing that pages may ask for: putting text on the clipboard, for the copy buttons. */
const grantedPermission = "clipboard-sanitized-write";

/** `origin`: of the console; undefined until the application server is up. */
export function openWindowSession(origin: () => string | undefined): Session {
  const own = session.fromPartition(`persist:${name}`);
  const isOurs = (url: string) => origin() !== undefined && URL.parse(url)?.origin === origin();
  own.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(permission === grantedPermission && isOurs(requestingUrl)),
  );
  own.setPermissionCheckHandler((_contents, permission, asking) => permission === grantedPermission && isOurs(asking));
  own.setDevicePermissionHandler(() => false);
  own.on("will-download", (event, item) => {
    // What the console makes (blob:) is of its origin, too. A person says where it goes, and nothing opens it.
    if (isOurs(item.getURL()))
      item.setSaveDialogOptions({ defaultPath: join(app.getPath("downloads"), item.getFilename()) });
    else event.preventDefault();
  });
  return own;
}

/** Takes along what the console kept when the window had no session of its own: its chats, its look. */
export function adoptOldStorage(profile: string): void {
  const [before, folder] = [join(profile, "Local Storage"), join(profile, "Partitions", name)];
  if (!existsSync(before) || existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  renameSync(before, join(folder, "Local Storage"));
}
