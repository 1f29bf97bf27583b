import { useRows } from "../../api/hooks.ts";
import type { DriftChange } from "./change.tsx";

type Actor = NonNullable<DriftChange["disposition"]["by"]>;

const KINDS: Readonly<Record<Actor["type"], string>> = {
  person: "a person",
  api_key: "an API key",
  operator: "the operator",
  system: "Leeway",
  code_host_user: "a user of the code host",
  ci: "a CI job",
};

/** Shows who decided about a change, by name if it is a member or a user of a code host. */
export function DecidedBy({ actor }: { actor: Actor }) {
  const isPerson = actor.type === "person";
  const members = useRows("GET /orgs/{id}/members", { query: { limit: 500 }, when: isPerson });
  const member = members.rows.find(({ person_id: id }) => isPerson && id === actor.id);
  return <span title={actor.id}>{member?.email ?? actor.username ?? KINDS[actor.type]}</span>;
}
