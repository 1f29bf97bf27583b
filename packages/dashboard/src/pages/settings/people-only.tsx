import { useSession } from "../../session/session.ts";

/** Says why nothing can be changed here by whoever is signed in with a key. */
export function PeopleOnly({ what }: { what: string }) {
  if (useSession()?.by !== "key") return undefined;
  return (
    <p className="bg-accent-soft rounded-lg px-4 py-3">
      You are signed in with an API key, which can’t manage {what}. A person who is admin or owner can.
    </p>
  );
}
