import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { call, type Answer, type Row } from "../api/client.ts";
import type { ApiFailure } from "../api/failure.ts";
import { useOrgId } from "../api/hooks.ts";
import { useSession } from "./session.ts";

export type OwnOrganization = Row<"GET /orgs">;
type Role = OwnOrganization["role"];

const ROLES: readonly Role[] = ["viewer", "member", "admin", "owner"];

/** The organizations that whoever is signed in belongs to, with their role in each. */
export function useOrganizations(): UseQueryResult<OwnOrganization[], ApiFailure> {
  return useQuery<OwnOrganization[], ApiFailure>({
    queryKey: ["GET /orgs"],
    queryFn: async ({ signal }) => {
      const all: OwnOrganization[] = [];
      let cursor: string | undefined = "";
      while (cursor !== undefined) {
        const page: Answer<"GET /orgs"> = await call("GET /orgs", {
          params: {},
          query: { limit: 500, cursor },
          signal,
        });
        all.push(...page.data);
        cursor = page.next_cursor;
      }
      return all;
    },
    staleTime: 60_000,
  });
}

/**
 * Whether whoever is signed in may do here what takes `least`, and what only people may do where that is said. The
 * API decides; this only hides what it would refuse.
 */
export function useMay(least: Role, only?: "person"): boolean {
  const session = useSession();
  const orgId = useOrgId();
  const { data } = useOrganizations();
  const role = data?.find(({ id }) => id === orgId)?.role;
  if (only === "person" && session?.by !== "person") return false;
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least);
}
