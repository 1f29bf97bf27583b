import { useState } from "react";

import { useAct } from "../../api/act.ts";
import type { PlanNoise } from "../../api/openapi.gen.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";

const CHANGED = ["GET /orgs/{id}/plan-noise", "GET /orgs/{id}/plan-noise/{fingerprint}"] as const;
const DAY_MS = 86_400_000;
const LENGTHS = [
  ["30", "30 days"],
  ["7", "7 days"],
  ["90", "90 days"],
  ["", "Until unmuted"],
] as const;

/** Mutes a kind of noise in plans for a while. */
export function Mute({ noise, onClose }: { noise: PlanNoise; onClose: () => void }) {
  const change = useAct("PATCH /orgs/{id}/plan-noise/{fingerprint}", CHANGED);
  const [days, setDays] = useState("30");
  const [reason, setReason] = useState("");
  const submit = (): void => {
    const end = days === "" ? {} : { until: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
    change.mutate(
      {
        params: { fingerprint: noise.fingerprint },
        body: { status: "muted", ...end, ...(reason.trim() !== "" && { reason: reason.trim() }) },
      },
      {
        onSuccess: () => {
          say(`Muted noise in ${noise.path_pattern}`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title="Mute this noise"
      confirmLabel="Mute"
      busy={change.isPending}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-muted">All plans of all projects hide it, whatever its confidence.</p>
      <Select label="Mute for" value={days} options={LENGTHS} onChange={setDays} />
      <TextField
        label="Reason (optional)"
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        hint="Shown next to the muted noise"
      />
    </FormDialog>
  );
}
