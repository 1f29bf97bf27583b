import { Link } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { inWords } from "../../api/failure.ts";
import { OutLink } from "../../ui/out-link.tsx";
import { Prose } from "../../ui/prose.tsx";

interface DeclaredAtProps {
  fingerprint: string;
  sourceId: string;
}

/** Shows the file and line that declare a change's resource, as a link to the code host. */
export function DeclaredAt({ fingerprint, sourceId }: DeclaredAtProps) {
  const orgId = useOrgId();
  const { data, error } = useRead("GET /orgs/{id}/drift-changes/{fingerprint}/declaration", {
    params: { fingerprint },
  });
  if (!data) return <span className="text-muted">{error ? inWords(error).text : "Reading the code…"}</span>;
  const { path, line, url, ref, commit = "", refused } = data;
  if (refused?.code === "no_repository")
    return (
      <span className="text-muted">
        Unknown: the{" "}
        <Link
          to="/orgs/$orgId/sources/$sourceId"
          params={{ orgId, sourceId }}
          className="text-accent underline underline-offset-4"
        >
          source
        </Link>{" "}
        has no repository
      </span>
    );
  const place = line === undefined ? path : `${path}:${line}`;
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      {place !== undefined && (
        <span className="font-mono text-xs break-all">
          {url === undefined ? place : <OutLink to={url}>{place}</OutLink>}
        </span>
      )}
      {refused ? (
        <div className="text-muted">
          <Prose markdown={refused.message.charAt(0).toUpperCase() + refused.message.slice(1)} />
        </div>
      ) : (
        <span className="text-muted text-xs">
          on {ref}, commit {commit.slice(0, 8)}
        </span>
      )}
    </div>
  );
}
