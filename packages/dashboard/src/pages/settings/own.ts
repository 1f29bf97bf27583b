import type { Member } from "../../api/openapi.gen.ts";
import { useSession } from "../../api/session.ts";

/** Returns whether a membership belongs to the signed-in person. */
export function useIsOwn(member: Member | undefined): boolean {
  const session = useSession();
  return session?.by === "person" && session.id === member?.person_id;
}
