import { useState } from "react";

import { useMay } from "../../session/organizations.ts";
import type { DriftChange } from "./change.tsx";
import { ChangeTable, type ChangeTableProps } from "./change-table.tsx";
import { Decide, type Decision } from "./decide.tsx";
import { Decisions } from "./decisions.tsx";

/** Lists changes, and lets the person decide about them. */
export function Changes(props: Omit<ChangeTableProps, "actions">) {
  const [open, setOpen] = useState<{ change: DriftChange; decision: Decision }>();
  const may = useMay("member");
  const actions = (change: DriftChange) => (
    <Decisions short change={change} onDecide={(decision) => setOpen({ change, decision })} />
  );
  return (
    <>
      <ChangeTable {...props} {...(may && { actions })} />
      {open && <Decide {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
