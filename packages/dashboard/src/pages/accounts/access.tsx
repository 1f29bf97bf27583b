import { useNavigate } from "@tanstack/react-router";

import { useOrgId, useRead } from "../../api/hooks.ts";
import { NumberedStep } from "../../ui/numbered-step.tsx";
import { Card } from "../../ui/page.tsx";
import { providerName } from "../../ui/provider.tsx";
import { Read } from "../../ui/states.tsx";
import { Views } from "../../ui/views.tsx";
import { AccessGuide, type Guide } from "./access-guide.tsx";
import { CredentialsForm } from "./credentials-form.tsx";
import { PushListing } from "./push-listing.tsx";
import type { CloudAccount } from "./types.ts";
import { waysInto, type Way } from "./ways.ts";

interface AccessProps {
  account: CloudAccount;
  onGiven: () => void;
}

/** Offers the ways to connect an account: give Leeway access, or push listings. */
export function Access({ account, onGiven }: AccessProps) {
  const ways = waysInto(account.provider);
  return ways.length === 0 ? (
    <Card title="Push a listing">
      <PushListing account={account} />
    </Card>
  ) : (
    <WaysIn account={account} ways={ways} onGiven={onGiven} />
  );
}

function WaysIn({ account, ways, onGiven }: AccessProps & { ways: readonly Way[] }) {
  const guide = useRead("GET /orgs/{id}/cloud-accounts/{account_id}/policy", {
    params: { account_id: account.id },
  });
  return (
    <Card title={`Give Leeway read access to ${providerName(account.provider)}`}>
      <Read read={guide}>
        {(guide) => (
          <Views
            label="Access methods"
            views={[
              ...ways.map(
                (way) => [way.title, <WayIn key={way.kind} {...{ account, way, guide, onGiven }} />] as const,
              ),
              ["Pushed listings", <PushListing key="push" account={account} />],
            ]}
          />
        )}
      </Read>
    </Card>
  );
}

function WayIn({ account, way, guide, onGiven }: AccessProps & { way: Way; guide: Guide }) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const goOn = (): void => {
    onGiven();
    void navigate({
      to: "/orgs/$orgId/accounts/$accountId/connect",
      params: { orgId, accountId: account.id },
      search: {},
      replace: true,
    });
  };
  return (
    <ol className="flex flex-col gap-6 pt-2">
      <NumberedStep number={1} title={way.make}>
        <p className="text-muted max-w-3xl">{way.how}</p>
        <AccessGuide guide={guide} way={way} />
      </NumberedStep>
      <NumberedStep number={2} title="Enter the credentials">
        <CredentialsForm account={account} way={way} guide={guide} onGiven={goOn} />
      </NumberedStep>
    </ol>
  );
}
