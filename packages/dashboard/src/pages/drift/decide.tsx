import { useState } from "react";

import { useAct } from "../../api/hooks.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { nameOfChange, resourceOf, type DriftChange } from "./change.tsx";

export type Decision = "acknowledged" | "ignored" | "open";

const CHANGED = [
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
const WORDS: Readonly<Record<Decision, { title: string; confirmLabel: string; text: string; done: string }>> =
  {
    acknowledged: {
      title: "Acknowledge this change",
      confirmLabel: "Acknowledge",
      text: "Marks the change as known. It still counts as risk until it is resolved.",
      done: "Acknowledged",
    },
    ignored: {
      title: "Ignore this change",
      confirmLabel: "Ignore",
      text: "It no longer counts as risk. It reopens if one of its values changes.",
      done: "Ignored",
    },
    open: {
      title: "Reopen this change",
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
  const [days, setDays] = useState("30");
  const [reason, setReason] = useState("");
  const { title, confirmLabel, text, done } = WORDS[decision];
  const submit = (): void => {
    const ends = decision === "ignored" && days !== "";
    const body = {
      status: decision,
      ...(ends && { until: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
      ...(reason.trim() !== "" && { reason: reason.trim() }),
    };
    decide.mutate(
      { params: { fingerprint: change.fingerprint }, body },
      {
        onSuccess: () => {
          say(`${done} ${nameOfChange(change)}`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={title}
      confirmLabel={confirmLabel}
      busy={decide.isPending}
      error={decide.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-muted">{text}</p>
      <code className="font-mono text-xs break-all">{resourceOf(change)}</code>
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
