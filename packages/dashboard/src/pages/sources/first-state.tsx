import { useEffect } from "react";

import { sentence } from "../../api/failure.ts";
import { useAct } from "../../api/act.ts";
import { Button, Spinner } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { countOf, countText } from "../../ui/number.ts";
import { Failure } from "../../ui/states.tsx";
import { placeOf, type Source } from "./place.ts";
import { PushCommands } from "./push-state.tsx";

interface FirstStateProps {
  source: Source;
  onClose: () => void;
}

/** Shows how a newly saved source gets its state: commands to paste, or the result of reading it. */
export function FirstState({ source, onClose }: FirstStateProps) {
  return (
    <Dialog
      title={source.backend ? `State of ${source.name}` : `Push the state of ${source.name}`}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {source.backend ? <Reading source={source} /> : <PushCommands source={source} />}
    </Dialog>
  );
}

function Reading({ source: { id, backend } }: { source: Source }) {
  const { mutate, data, error, isPending } = useAct("POST /orgs/{id}/iac-sources/{source_id}/read", [
    "GET /orgs/{id}/iac-sources",
    "GET /orgs/{id}/posture",
  ]);
  // Reads immediately after saving, so that the person sees whether it works.
  useEffect(() => mutate({ params: { source_id: id } }), [id, mutate]);
  const again = (): void => mutate({ params: { source_id: id } });
  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      {isPending && (
        <p className="flex items-center gap-3">
          <Spinner /> <span className="wrap-anywhere">Reading {backend && placeOf(backend)}</span>
        </p>
      )}
      {data && !isPending && <Outcome source={data} onRetry={again} />}
      {error && <Failure error={error} onRetry={again} />}
    </div>
  );
}

function Outcome({ source, onRetry }: { source: Source; onRetry: () => void }) {
  const { last_error: error, resource_count: count, matched_count: matched } = source;
  if (!error) {
    return (
      <Notice tone="good" title="State read">
        <p>
          {count === 0
            ? "It declares no resources yet."
            : `It declares ${countOf(count, "resource")}, ${countText(matched)} of them found.`}{" "}
          Leeway reads it again every five minutes.
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="critical" title="State couldn’t be read">
      <p>{sentence(error.message)}</p>
      <p className="text-muted">Leeway tries again every five minutes.</p>
      <Button onClick={onRetry} className="self-start">
        Try again
      </Button>
    </Notice>
  );
}
