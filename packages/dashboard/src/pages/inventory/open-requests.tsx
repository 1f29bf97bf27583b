import { useMutation } from "@tanstack/react-query";
import { GitPullRequest } from "lucide-react";

import { call } from "../../api/client.ts";
import { useOrgId } from "../../api/hooks.ts";
import type { LiveResource } from "../../api/openapi.gen.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/states.tsx";
import type { DriftChange } from "../drift/change.tsx";
import { MAX_SETTLED, SettleMany } from "../drift/settle-many.tsx";
import { nameOf } from "./name.ts";

const PAGE = 500;

interface OpenRequestsProps {
  resources: readonly LiveResource[];
  onDone: () => void;
}

/** Offers to put the code of undeclared resources into the merge or pull request of a source. */
export function OpenRequests({ resources, onDone }: OpenRequestsProps) {
  const orgId = useOrgId();
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: () => undeclaredChanges(orgId, resources),
  });
  const isTooMany = resources.length > MAX_SETTLED;
  const known = new Set(data?.map(({ live_resource_id: id }) => id));
  return (
    <>
      <Button
        busy={isPending}
        disabled={isTooMany}
        {...(isTooMany && { title: `At most ${MAX_SETTLED} resources at once` })}
        onClick={() => mutate()}
      >
        <GitPullRequest aria-hidden="true" className="size-4" /> Open a request
      </Button>
      {error && <Failure error={error} />}
      {data && (
        <SettleMany
          changes={data}
          unreported={resources
            .filter(({ id }) => !known.has(id))
            .map((row) => ({ id: row.id, name: nameOf(row) }))}
          onDone={onDone}
          onClose={reset}
        />
      )}
    </>
  );
}

/** Finds the drift of undeclared resources, which is what a request settles. */
async function undeclaredChanges(orgId: string, resources: readonly LiveResource[]): Promise<DriftChange[]> {
  const wanted = new Set(resources.map(({ id }) => id));
  const found: DriftChange[] = [];
  let cursor: string | undefined;
  do {
    const page = await call("GET /orgs/{id}/drift-changes", {
      params: { id: orgId },
      query: {
        kind: "undeclared",
        account_id: [...new Set(resources.map(({ cloud_account_id: id }) => id))],
        noise: "include",
        hidden: "include",
        limit: PAGE,
        ...(cursor !== undefined && { cursor }),
      },
    });
    found.push(...page.data.filter(({ live_resource_id: id }) => id !== undefined && wanted.has(id)));
    cursor = page.next_cursor;
  } while (cursor !== undefined && found.length < wanted.size);
  return found;
}
