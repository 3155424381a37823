import { ipcMain, type IpcMainInvokeEvent } from "electron";

/**
 * Answers the calls that the preload script offers to the page, by name.
 * @param isPage whether an address is one whose page may call; frames in it may not
 */
export function answerPageCalls(
  calls: Readonly<Record<string, (argument: unknown) => unknown>>,
  isPage: (url: string) => boolean,
): void {
  for (const [name, act] of Object.entries(calls))
    ipcMain.handle(name, ({ senderFrame }: IpcMainInvokeEvent, argument: unknown) =>
      senderFrame?.parent === null && isPage(senderFrame.url) ? act(argument) : undefined,
    );
}
