import { useState, type ReactNode } from "react";

import type { ApiFailure } from "../../api/failure.ts";
import { useAct } from "../../api/act.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { nameOfChange, resourceOf, type DriftChange } from "./change.tsx";

export type Decision = "acknowledged" | "ignored" | "open";

/** Operations whose answers a decision changes. */
export const CHANGED = [
  "GET /orgs/{id}/drift-changes",
  "GET /orgs/{id}/drift-changes/{fingerprint}",
  "GET /orgs/{id}/drift-change-groups",
  "GET /orgs/{id}/drift-movement",
  "GET /orgs/{id}/drift-snapshots",
  "GET /orgs/{id}/drift-snapshots/{snapshot_id}",
  "GET /orgs/{id}/drift-snapshots/{snapshot_id}/changes",
  "GET /orgs/{id}/drift-snapshots/{snapshot_id}/diff",
  "GET /orgs/{id}/posture",
] as const;
const DAY_MS = 86_400_000;
const LENGTHS = [
  ["30", "30 days"],
  ["7", "7 days"],
  ["90", "90 days"],
  ["", "Until it changes"],
] as const;
export const WORDS: Readonly<Record<Decision, { confirmLabel: string; text: string; done: string }>> = {
  acknowledged: {
    confirmLabel: "Acknowledge",
    text: "Marks it as known. It still counts as risk until it is resolved.",
    done: "Acknowledged",
  },
  ignored: {
    confirmLabel: "Ignore",
    text: "It no longer counts as risk. It reopens if one of its values changes.",
    done: "Ignored",
  },
  open: {
    confirmLabel: "Reopen",
    text: "Removes the decision, so the change is listed as open.",
    done: "Reopened",
  },
};

interface DecideProps {
  change: DriftChange;
  decision: Decision;
  onClose: () => void;
}

/** Asks for a decision about a change, with its reason. */
export function Decide({ change, decision, onClose }: DecideProps) {
  const decide = useAct("PATCH /orgs/{id}/drift-changes/{fingerprint}", CHANGED);
  const submit = (body: Decided): void =>
    decide.mutate(
      { params: { fingerprint: change.fingerprint }, body },
      {
        onSuccess: () => {
          say(`${WORDS[decision].done} ${nameOfChange(change)}`);
          onClose();
        },
      },
    );
  return (
    <DecisionForm
      decision={decision}
      object="this change"
      busy={decide.isPending}
      error={decide.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <code className="font-mono text-xs break-all">{resourceOf(change)}</code>
    </DecisionForm>
  );
}

/** A decision, as the API takes it. */
export interface Decided {
  status: Decision;
  until?: string;
  reason?: string;
}

interface DecisionFormProps {
  decision: Decision;
  /** Object of the decision, as in "Ignore this change". */
  object: string;
  busy: boolean;
  error: ApiFailure | null;
  onSubmit: (decided: Decided) => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for the length and the reason of a decision. */
export function DecisionForm({
  decision,
  object,
  busy,
  error,
  onSubmit,
  onClose,
  children,
}: DecisionFormProps) {
  const [days, setDays] = useState("30");
  const [reason, setReason] = useState("");
  const { confirmLabel, text } = WORDS[decision];
  const submit = (): void => {
    const ends = decision === "ignored" && days !== "";
    onSubmit({
      status: decision,
      ...(ends && { until: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
      ...(reason.trim() !== "" && { reason: reason.trim() }),
    });
  };
  return (
    <FormDialog
      title={`${confirmLabel} ${object}`}
      confirmLabel={confirmLabel}
      busy={busy}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-muted">{text}</p>
      {children}
      {decision === "ignored" && (
        <Select label="Ignore for" value={days} options={LENGTHS} onChange={setDays} />
      )}
      {decision !== "open" && (
        <TextField
          label={decision === "ignored" ? "Reason" : "Reason (optional)"}
          required={decision === "ignored"}
          pattern={String.raw`.*\S.*`} // the API would drop a reason of spaces, as if there were none
          title="A reason, not only spaces"
          maxLength={1000}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          hint="Shown next to the change"
        />
      )}
    </FormDialog>
  );
}
