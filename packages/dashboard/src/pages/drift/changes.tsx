import { useCallback, useState, type ReactNode } from "react";

import { useAccounts } from "../accounts.ts";
import { Table } from "../../ui/table.tsx";
import type { Rows } from "../../api/hooks.ts";
import type { DriftChange } from "./change.tsx";
import { changeColumns } from "./change-columns.tsx";
import { Decide, type Decision } from "./decide.tsx";
import { DecisionButtons, useRights } from "./decisions.tsx";

interface ChangesProps {
  label: string;
  rows: Rows<DriftChange>;
  empty: ReactNode;
}

/** Lists changes in one line each, and lets the person decide about each. */
export function Changes({ label, rows, empty }: ChangesProps) {
  const { dialog, ...actions } = useDecisions();
  const { nameOf } = useAccounts();
  return (
    <>
      <Table
        label={label}
        columns={changeColumns({ ...actions, nameOf })}
        rows={rows}
        keyOf={({ fingerprint }) => fingerprint}
        height="one"
        empty={empty}
      />
      {dialog}
    </>
  );
}

/** Returns what can be done about a change in a list, and the dialog that asks for it. */
export function useDecisions(): { actions?: (change: DriftChange) => ReactNode; dialog: ReactNode } {
  const [open, setOpen] = useState<{ change: DriftChange; decision: Decision }>();
  const { isMember, isAdmin } = useRights();
  const actions = useCallback(
    (change: DriftChange) => (
      <DecisionButtons
        short
        change={change}
        rights={{ isMember, isAdmin }}
        onDecide={(decision) => setOpen({ change, decision })}
      />
    ),
    [isMember, isAdmin],
  );
  return {
    ...(isMember && { actions }),
    dialog: open && <Decide {...open} onClose={() => setOpen(undefined)} />,
  };
}
