import { useState } from "react";

import type { LiveResourceDetail } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { AdoptOne } from "./adopt-one.tsx";

/** Offers the code of an undeclared resource. */
export function AdoptCard({
  resource: { id, cloud_account_id: accountId },
}: {
  resource: LiveResourceDetail;
}) {
  const may = useMay("member");
  const [isOpen, setOpen] = useState(false);
  if (!may) return undefined;
  return (
    <Card
      title="Adopt"
      {...(!isOpen && { actions: <Button onClick={() => setOpen(true)}>Write code</Button> })}
    >
      {isOpen ? (
        <AdoptOne resourceId={id} accountId={accountId} />
      ) : (
        <p className="text-muted">Write code for this resource, with the block that imports it.</p>
      )}
    </Card>
  );
}
