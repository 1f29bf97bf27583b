import { useSession } from "../../api/session.ts";

/** Explains that someone signed in with a key can't change anything here. */
export function PeopleOnly({ what }: { what: string }) {
  if (useSession()?.by !== "key") return undefined;
  return (
    <p className="bg-accent-soft rounded-lg px-4 py-3">
      API keys can’t manage {what}. Sign in as an owner or admin.
    </p>
  );
}
