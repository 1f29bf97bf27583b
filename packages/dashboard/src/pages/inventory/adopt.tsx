import { useState } from "react";

import { useAct } from "../../api/act.ts";
import type { LiveResource } from "../../api/openapi.gen.ts";
import { useMay } from "../../session/organizations.ts";
import { Notice } from "../../ui/notice.tsx";
import { InventoryFrame } from "./frame.tsx";
import { Choose } from "./adopt-choose.tsx";
import { Written } from "./adopt-written.tsx";

/** Writes the code of chosen undeclared resources. */
export function AdoptPage() {
  const may = useMay("member");
  const [chosen, setChosen] = useState<ReadonlyMap<string, LiveResource>>(new Map());
  const adopt = useAct("POST /orgs/{id}/adoptions");
  const write = (sourceId: string): void =>
    adopt.mutate({
      body: { resource_ids: [...chosen.keys()], ...(sourceId !== "" && { source_id: sourceId }) },
    });
  return (
    <InventoryFrame lead="Turn undeclared resources into code: Leeway writes the resource blocks and the blocks that import them.">
      {adopt.data ? (
        <Written adoption={adopt.data} resources={chosen} onBack={adopt.reset} />
      ) : (
        <>
          {!may && (
            <Notice tone="neutral" title="Members can adopt resources">
              <p>You have read access only.</p>
            </Notice>
          )}
          <Choose
            chosen={chosen}
            onChoose={setChosen}
            {...(may && { writing: { write, isBusy: adopt.isPending, error: adopt.error } })}
          />
        </>
      )}
    </InventoryFrame>
  );
}
