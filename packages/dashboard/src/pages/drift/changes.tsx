import { useCallback, useState, type ReactNode } from "react";

import { useMay } from "../../session/organizations.ts";
import type { DriftChange } from "./change.tsx";
import { ChangeTable, type ChangeTableProps } from "./change-table.tsx";
import { Decide, type Decision } from "./decide.tsx";
import { Decisions } from "./decisions.tsx";

/** Lists changes, and lets the person decide about each. */
export function Changes(props: Omit<ChangeTableProps, "actions">) {
  const { dialog, ...actions } = useDecisions();
  return (
    <>
      <ChangeTable {...props} {...actions} />
      {dialog}
    </>
  );
}

/** Returns what can be done about a change in a list, and the dialog that asks for it. */
export function useDecisions(): { actions?: (change: DriftChange) => ReactNode; dialog: ReactNode } {
  const [open, setOpen] = useState<{ change: DriftChange; decision: Decision }>();
  const may = useMay("member");
  const actions = useCallback(
    (change: DriftChange) => (
      <Decisions short change={change} onDecide={(decision) => setOpen({ change, decision })} />
    ),
    [],
  );
  return {
    ...(may && { actions }),
    dialog: open && <Decide {...open} onClose={() => setOpen(undefined)} />,
  };
}
