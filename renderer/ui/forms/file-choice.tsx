import { FileButton } from "@mantine/core";
import { useRef, type ReactNode } from "react";

/** Lets a file be chosen, also the one that was chosen before: it may have changed, or a try may have failed. */
export function FileChoice(props: {
  accept: string;
  onFile: (file: File) => void;
  children: (button: { onClick: () => void }) => ReactNode;
}) {
  const reset = useRef<() => void>(null);
  const take = (file: File | null) => {
    // The browser reports no choice of the file that the field still holds.
    reset.current?.();
    if (file) props.onFile(file);
  };
  return (
    <FileButton accept={props.accept} resetRef={reset} onChange={take}>
      {props.children}
    </FileButton>
  );
}
