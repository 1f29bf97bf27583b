import { Link } from "@tanstack/react-router";
import { useEffect } from "react";

import { useAct } from "../../api/act.ts";
import { useOrgId } from "../../api/hooks.ts";
import { Failure, Loading } from "../../ui/states.tsx";
import { AdoptedCode } from "./adopted-code.tsx";
import { AdoptedList } from "./adopted-list.tsx";

/** Writes the code of one undeclared resource, and shows it. */
export function AdoptOne({ resourceId, accountId }: { resourceId: string; accountId: string }) {
  const orgId = useOrgId();
  const { mutate, data, error } = useAct("POST /orgs/{id}/adoptions");
  useEffect(() => mutate({ body: { resource_ids: [resourceId] } }), [mutate, resourceId]);
  if (error)
    return <Failure error={error} onRetry={() => mutate({ body: { resource_ids: [resourceId] } })} />;
  if (!data) return <Loading label="Writing code" />;
  return (
    <div role="region" aria-label="Code" className="flex min-w-0 flex-col gap-3">
      <AdoptedList adoption={data} />
      <AdoptedCode files={data.files} />
      <p className="text-muted text-xs">
        {data.files.length > 0 && "A plan with this code should show an import and no other change. "}
        <Link
          to="/orgs/$orgId/inventory/adopt"
          params={{ orgId }}
          search={{ account_id: accountId }}
          className="text-accent underline underline-offset-4"
        >
          Adopt several resources
        </Link>
      </p>
    </div>
  );
}
