/**
 * Drops a file that the system opens with Hearth on the window's page. The page takes it as it takes what a person drops:
 * it shows a form, and reads the file itself.
 */
import type { WebContents } from "electron";

export interface FileDrops {
  /** Drops the file as soon as the page takes files. @param path an absolute one */
  readonly drop: (path: string) => void;
  /** The page that is shown takes files from now on. */
  readonly take: () => void;
}

type Contents = Pick<WebContents, "on" | "debugger">;

/** @param onFailure told the path and the reason */
export function createFileDrops(contents: Contents, onFailure: (path: string, error: unknown) => void): FileDrops {
  let waiting: string | undefined;
  let isTaking = false;
  contents.on("did-start-navigation", ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) isTaking = false;
  });

  async function dropOn({ debugger: devTools }: Contents, path: string): Promise<void> {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    devTools.attach("1.3");
    try {
      // In the window's corner, where no field of the page takes files for itself.
      for (const type of ["dragEnter", "dragOver", "drop"])
        await devTools.sendCommand("Input.dispatchDragEvent", { type, x: 1, y: 1, data });
    } finally {
      devTools.detach();
    }
  }

  function dropWaiting(): void {
    if (waiting === undefined || !isTaking) return;
    const path = waiting;
    waiting = undefined;
    dropOn(contents, path).catch((error: unknown) => onFailure(path, error));
  }

  return {
    drop(path) {
      waiting = path;
      dropWaiting();
    },
    take() {
      isTaking = true;
      dropWaiting();
    },
  };
}
