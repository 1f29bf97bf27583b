import { useState } from "react";

import { useAct } from "../../api/hooks.ts";
import type { PlanNoise } from "../../api/openapi.gen.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { say } from "../../ui/toast.tsx";

const CHANGED = ["GET /orgs/{id}/plan-noise", "GET /orgs/{id}/plan-noise/{fingerprint}"] as const;
const DAY_MS = 86_400_000;
const LENGTHS = [
  ["30", "30 days"],
  ["7", "A week"],
  ["90", "90 days"],
  ["", "Until further notice"],
] as const;

/** Has plans hide a kind of noise, for a while. */
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
          say("Plans hide it from now on");
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title="Mute this noise"
      deed="Mute"
      busy={change.isPending}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-muted">Every plan of every project hides it, however sure Leeway is of it.</p>
      <Select label="For" value={days} options={LENGTHS} onChange={setDays} />
      <TextField
        label="Reason (optional)"
        maxLength={500}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        hint="Shown to whoever finds it muted"
      />
    </FormDialog>
  );
}
