import { useUserName } from "../../api/queries/use-user-name.ts";

/** The user who uploaded a file. */
export function Owner({ uid, className }: { uid: string; className?: string | undefined }) {
  return (
    <span className={className} title={uid}>
      {useUserName(uid)}
    </span>
  );
}
