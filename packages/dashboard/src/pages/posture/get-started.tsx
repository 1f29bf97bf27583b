import { CloudOff } from "lucide-react";

import { useOrgId } from "../../api/hooks.ts";
import { Code } from "../../ui/code.tsx";
import { Empty } from "../../ui/states.tsx";

/** What to do where there is no account yet: ready to paste. */
export function GetStarted() {
  const orgId = useOrgId();
  return (
    <Empty
      icon={<CloudOff className="size-5" />}
      title="No cloud accounts yet"
      action={
        <div className="w-[min(46rem,80vw)] text-left">
          <Code title="With an API key in $KEY" code={commands(`${location.origin}/api/v2/orgs/${orgId}`)} />
        </div>
      }
    >
      Make one and push what runs in it. Nobody needs credentials to your cloud for that.
    </Empty>
  );
}

function commands(api: string): string {
  return [
    `api="${api}"; auth="Authorization: Bearer $KEY"`,
    `id() { sed 's/.*"id":"\\([0-9a-f-]*\\)".*/\\1/'; }`,
    `account=$(curl -sH "$auth" "$api/cloud-accounts" --json '{"provider":"aws","external_id":"210987654321"}' | id)`,
    `source=$(curl -sH "$auth" "$api/iac-sources" --json '{"name":"my-stack"}' | id)`,
    "",
    "terraform state pull >state.json",
    `curl -H "$auth" -T state.json "$api/iac-sources/$source/state"`,
    "",
    "aws configservice select-resource-config --expression 'SELECT *, configuration, supplementaryConfiguration, tags' >listing.json",
    `curl -H "$auth" -T listing.json "$api/cloud-accounts/$account/listing"`,
  ].join("\n");
}
