import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { call, type Answer, type Row } from "../api/client.ts";
import type { ApiFailure } from "../api/failure.ts";
import { useOrgId } from "../api/hooks.ts";
import { useSession } from "../api/session.ts";

export type OwnOrganization = Row<"GET /orgs">;
type Role = OwnOrganization["role"];

const ROLES: readonly Role[] = ["viewer", "member", "admin", "owner"];

/** Reads the organizations of the signed-in person or key, with their role in each. */
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
 * Returns whether the signed-in person or key has the role `least` here, and is a person if `only` says so. The API
 * decides; this only hides what it would reject.
 */
export function useMay(least: Role, only?: "person"): boolean {
  const session = useSession();
  const orgId = useOrgId();
  const { data } = useOrganizations();
  const role = data?.find(({ id }) => id === orgId)?.role;
  if (only === "person" && session?.by !== "person") return false;
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(least);
}
