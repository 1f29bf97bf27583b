import { useState } from "react";

import { useAct } from "../../api/hooks.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";
import { resourceOf, type DriftChange } from "./change.tsx";

export type Decision = "acknowledged" | "ignored" | "open";

const CHANGED = [
  "GET /orgs/{id}/drift-changes",
  "GET /orgs/{id}/drift-snapshots",
  "GET /orgs/{id}/drift-snapshots/{snapshot_id}",
  "GET /orgs/{id}/drift-snapshots/{snapshot_id}/changes",
  "GET /orgs/{id}/drift-snapshots/{snapshot_id}/diff",
  "GET /orgs/{id}/posture",
] as const;
const DAY_MS = 86_400_000;
const LENGTHS = [
  ["30", "30 days"],
  ["7", "A week"],
  ["90", "90 days"],
  ["", "Until it changes"],
] as const;
const WORDS: Readonly<Record<Decision, { title: string; deed: string; text: string; done: string }>> = {
  acknowledged: {
    title: "Acknowledge this change",
    deed: "Acknowledge",
    text: "Somebody knows of it. It counts as risk until it is gone.",
    done: "It is acknowledged",
  },
  ignored: {
    title: "Ignore this change",
    deed: "Ignore",
    text: "It counts as no risk any more. When one of its values changes, it is open again.",
    done: "It is ignored",
  },
  open: {
    title: "Open this change again",
    deed: "Open again",
    text: "It counts as any other.",
    done: "It is open again",
  },
};

interface DecideProps {
  change: DriftChange;
  decision: Decision;
  onClose: () => void;
}

/** Takes a decision about a change, with its reason. */
export function Decide({ change, decision, onClose }: DecideProps) {
  const decide = useAct("PATCH /orgs/{id}/drift-changes/{fingerprint}", CHANGED);
  const [days, setDays] = useState("30");
  const [reason, setReason] = useState("");
  const { title, deed, text, done } = WORDS[decision];
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
          say(done);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={title}
      deed={deed}
      busy={decide.isPending}
      error={decide.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-muted">{text}</p>
      <code className="font-mono text-xs break-all">{resourceOf(change)}</code>
      {decision === "ignored" && <Select label="For" value={days} options={LENGTHS} onChange={setDays} />}
      {decision !== "open" && (
        <TextField
          label={decision === "ignored" ? "Reason" : "Reason (optional)"}
          required={decision === "ignored"}
          pattern={String.raw`.*\S.*`} // spaces alone would be left out, as if there were none to give
          title="Words, not spaces alone"
          maxLength={1000}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          hint="Shown beside the change"
        />
      )}
    </FormDialog>
  );
}
