import { createContext, Suspense, useCallback, useContext, useRef, useState, type ReactNode } from "react";
import { lazyPart, useFetchedEarly } from "../lazy-part.ts";
import type { Question } from "./question.ts";

const ConfirmDialog = lazyPart(
  () => import("./confirm-dialog.tsx"),
  (file) => file.ConfirmDialog,
);

/** Asks for confirmation; resolves with the answer: no, while another question is asked. */
export type Confirm = (question: Question) => Promise<boolean>;

const ConfirmContext = createContext<Confirm | undefined>(undefined);

export function useConfirm(): Confirm {
  const confirm = useContext(ConfirmContext);
  if (!confirm) throw new Error("no ConfirmProvider above this component");
  return confirm;
}

/** Shows the confirmation dialogs of the components below. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  useFetchedEarly(ConfirmDialog);
  const [asked, setAsked] = useState<{ question: Question; answer: (yes: boolean) => void }>();
  const [opened, setOpened] = useState(false);
  const isAsking = useRef(false);
  const confirm = useCallback<Confirm>((question) => {
    if (isAsking.current) return Promise.resolve(false);
    isAsking.current = true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    setAsked({ question, answer: resolve });
    setOpened(true);
    return promise;
  }, []);
  const answer = (yes: boolean) => {
    asked?.answer(yes);
    setOpened(false);
    const end = () => {
      isAsking.current = false;
    };
    // Escape closes the dialog below, too, which would ask again by the same key.
    if (yes) end();
    else setTimeout(end);
  };
  return (
    <ConfirmContext value={confirm}>
      {children}
      {asked && (
        <Suspense>
          <ConfirmDialog question={asked.question} opened={opened} onAnswer={answer} />
        </Suspense>
      )}
    </ConfirmContext>
  );
}
