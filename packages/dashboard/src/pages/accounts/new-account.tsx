import { useSearch } from "@tanstack/react-router";
import { Braces, Cloud } from "lucide-react";

import { useOrgId } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Page } from "../../ui/page.tsx";
import { Steps } from "../../ui/steps.tsx";
import { AdminsOnly } from "./admins-only.tsx";
import { NewAccountForm } from "./new-account-form.tsx";
import type { Place } from "./search.ts";
import { newAccountSearch } from "./search.ts";

/** Steps from the start to a first scan. */
export const CONNECT_STEPS = ["Choose the account", "Give access", "Run the first scan"];

/** Starts to connect an account: asks for its cloud and its id. */
export function NewAccountPage() {
  const orgId = useOrgId();
  const { place } = useSearch({ from: "/orgs/$orgId/accounts/new", select: newAccountSearch });
  const may = useMay("admin");
  return (
    <Page
      title="Connect an account"
      back={
        <BackLink to="/orgs/$orgId/accounts" params={{ orgId }}>
          Accounts
        </BackLink>
      }
    >
      <Steps steps={CONNECT_STEPS} current={0} />
      {may ? <Beginning place={place} /> : <AdminsOnly />}
    </Page>
  );
}

function Beginning({ place }: { place: Place | undefined }) {
  return place ? <NewAccountForm key={place} place={place} /> : <Places />;
}

function Places() {
  const orgId = useOrgId();
  const way = { to: "/orgs/$orgId/accounts/new", params: { orgId } } as const;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Choice {...way} search={{ place: "aws" }} icon={<Cloud className="size-5" />} title="AWS">
        Connect an account with an IAM role or an access key.
      </Choice>
      <Choice {...way} search={{ place: "gcp" }} icon={<Cloud className="size-5" />} title="Google Cloud">
        Connect a project with workload identity or a service account key.
      </Choice>
      <Choice {...way} search={{ place: "azure" }} icon={<Cloud className="size-5" />} title="Azure">
        Connect a subscription with a federated credential or a client secret.
      </Choice>
      <Choice {...way} search={{ place: "other" }} icon={<Braces className="size-5" />} title="Anything else">
        Push the resources of any other system as lines of JSON.
      </Choice>
    </div>
  );
}
