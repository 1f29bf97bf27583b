import { useState, type FormEvent } from "react";

import { useAct } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/states.tsx";
import { isTaken, isToldWhole, useRefusedFocus } from "../refusals.ts";
import { FirstState } from "./first-state.tsx";
import type { Source } from "./place.ts";
import { SourceFields, SOURCE_PATHS } from "./source-fields.tsx";
import { changesOf, formOf, newSource, type SourceForm } from "./source-form.ts";

const REFRESHED = ["GET /orgs/{id}/iac-sources", "GET /orgs/{id}/posture"] as const;

/** Adds a source, or changes what it is called and where its state is; then how that state comes. */
export function EditSource({ source, onClose }: { source?: Source; onClose: () => void }) {
  const [form, setForm] = useState(() => formOf(source));
  const { save, saved, isBusy, error } = useSave(source, onClose);
  const fields = useRefusedFocus(error);
  if (saved) return <FirstState source={saved} onClose={onClose} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save(form);
  };
  return (
    <Dialog
      title={source ? "Edit the source" : "Add a source"}
      isHeld={isBusy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form="source" busy={isBusy}>
            {source ? "Save" : "Add the source"}
          </Button>
        </>
      }
    >
      <form id="source" ref={fields} onSubmit={submit} className="flex flex-col gap-4" autoComplete="off">
        <SourceFields form={form} onChange={setForm} source={source} error={error} />
      </form>
      {error && !isTaken(error) && isToldWhole(error, SOURCE_PATHS) && <Failure error={error} />}
    </Dialog>
  );
}

/** Saves what was typed. A state that is to come from elsewhere now isn't known before it has come. */
function useSave(source: Source | undefined, onClose: () => void) {
  const make = useAct("POST /orgs/{id}/iac-sources", REFRESHED);
  const change = useAct("PATCH /orgs/{id}/iac-sources/{source_id}", REFRESHED);
  const [saved, setSaved] = useState<Source>();
  const save = (form: SourceForm): void => {
    if (!source) {
      make.mutate({ body: newSource(form) }, { onSuccess: setSaved });
      return;
    }
    const body = changesOf(source, form);
    if (Object.keys(body).length === 0) onClose();
    else
      change.mutate(
        { params: { source_id: source.id }, body },
        { onSuccess: (changed) => (body.backend === undefined ? onClose() : setSaved(changed)) },
      );
  };
  return { save, saved, isBusy: make.isPending || change.isPending, error: make.error ?? change.error };
}
