import type { Member } from "../../api/openapi.gen.ts";
import { useSession } from "../../session/session.ts";

/** Whether a membership is that of the person who is signed in. */
export function useIsOwn(member: Member | undefined): boolean {
  const session = useSession();
  return session?.by === "person" && session.id === member?.person_id;
}
