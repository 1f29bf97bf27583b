import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { Button } from "../../ui/button.tsx";
import { SecretOnce } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import type { WebhookConfig } from "./types.ts";

const OVERLAPS = [
  ["24", "A day"],
  ["168", "A week"],
  ["0", "Not at all (it leaked)"],
] as const;
const CHANGED = ["GET /orgs/{id}/webhooks", "GET /orgs/{id}/webhooks/{config_id}"] as const;

/** Gives a webhook a new secret and shows it once. */
export function RotateSecret({ config, onClose }: { config: WebhookConfig; onClose: () => void }) {
  const rotate = useAct("POST /orgs/{id}/webhooks/{config_id}/rotate-secret", CHANGED);
  const [hours, setHours] = useState("24");
  const submit = (): void =>
    rotate.mutate({ params: { config_id: config.id }, body: { overlap_hours: Number(hours) } });
  if (rotate.data) {
    return (
      <Dialog title="New secret" isHeld onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
        <SecretOnce secret={rotate.data.raw_secret} what="the secret" />
        <p className="text-muted">
          {config.source === "vcs"
            ? "Paste it into GitLab as the webhook’s Secret token."
            : "Set it in the planner as LEEWAY_WEBHOOK_SECRET."}
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Rotate the secret"
      isHeld={rotate.isPending}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={rotate.isPending}>
            Cancel
          </Button>
          <Button kind="primary" busy={rotate.isPending} onClick={submit}>
            Rotate
          </Button>
        </>
      }
    >
      <Select
        label="Keep the old secret valid for"
        value={hours}
        options={OVERLAPS}
        onChange={setHours}
        hint="Both secrets work until then, so no event is lost while you replace it."
      />
      {rotate.error && <Failure error={rotate.error} />}
    </Dialog>
  );
}
