import { useState } from "react";

import { useAct } from "../../api/act.ts";
import type { ApiKey } from "../../api/openapi.gen.ts";
import { Button } from "../../ui/button.tsx";
import { SecretOnce } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Select } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";

const OVERLAPS = [
  ["24", "A day"],
  ["168", "A week"],
  ["0", "Not at all (it leaked)"],
] as const;

/** Gives a key a new secret and shows it once. */
export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const rotate = useAct("POST /orgs/{id}/api-keys/{key_id}/rotate", ["GET /orgs/{id}/api-keys"]);
  const [hours, setHours] = useState("24");
  const isDone = rotate.data !== undefined;
  return (
    <Dialog
      title={isDone ? "New key" : `Rotate ${apiKey.name}`}
      isHeld={isDone || rotate.isPending}
      onClose={onClose}
      actions={
        isDone ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <>
            <Button onClick={onClose} disabled={rotate.isPending}>
              Cancel
            </Button>
            <Button
              kind="primary"
              busy={rotate.isPending}
              onClick={() =>
                rotate.mutate({ params: { key_id: apiKey.id }, body: { overlap_hours: Number(hours) } })
              }
            >
              Rotate
            </Button>
          </>
        )
      }
    >
      {rotate.data ? (
        <SecretOnce secret={rotate.data.key} what="the key" />
      ) : (
        <Select
          label="Keep the old key valid for"
          value={hours}
          options={OVERLAPS}
          onChange={setHours}
          hint="Both keys work until then. After that, the old key can’t be restored."
        />
      )}
      {rotate.error && <Failure error={rotate.error} />}
    </Dialog>
  );
}
