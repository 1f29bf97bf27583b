import { useState } from "react";

import { useAct } from "../../api/act.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { isTaken, needsGeneralMessage, useRefusedFocus } from "../refusals.ts";
import { FirstState } from "./first-state.tsx";
import type { Source } from "./place.ts";
import { SourceFields, SOURCE_PATHS } from "./source-fields.tsx";
import { changesOf, formOf, newSource, type SourceForm } from "./source-form.ts";

const REFRESHED = ["GET /orgs/{id}/iac-sources", "GET /orgs/{id}/posture"] as const;

/** Adds a source, or edits its name and its state's origin; then shows how the state arrives. */
export function EditSource({ source, onClose }: { source?: Source; onClose: () => void }) {
  const [form, setForm] = useState(() => formOf(source));
  const { save, saved, isBusy, error } = useSave(source, onClose);
  const fields = useRefusedFocus(error);
  if (saved) return <FirstState source={saved} onClose={onClose} />;
  return (
    <FormDialog
      title={source ? "Edit source" : "Add a source"}
      confirmLabel={source ? "Save" : "Add source"}
      busy={isBusy}
      error={error && !isTaken(error) && needsGeneralMessage(error, SOURCE_PATHS) ? error : undefined}
      form={fields}
      onSubmit={() => save(form)}
      onClose={onClose}
    >
      <SourceFields form={form} onChange={setForm} source={source} error={error} />
    </FormDialog>
  );
}

/** Saves the source. After a change of origin, its state is unknown until it is read again. */
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
