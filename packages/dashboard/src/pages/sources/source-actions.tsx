import { useAct } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { countOf } from "../../ui/number.ts";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import type { Source } from "./place.ts";

/** What another state changes. */
const REFRESHED = ["GET /orgs/{id}/iac-sources", "GET /orgs/{id}/posture"] as const;

export type Deed = "push" | "edit" | "delete";

/** What can be done with a source. */
export function SourceActions({ source, onOpen }: { source: Source; onOpen: (deed: Deed) => void }) {
  const { id, name, backend } = source;
  const read = useAct("POST /orgs/{id}/iac-sources/{source_id}/read", REFRESHED);
  return (
    <span className="flex flex-col items-end gap-2">
      <span className="flex flex-wrap justify-end gap-2">
        {backend ? (
          <Button
            aria-label={`Read now the state of ${name}`}
            busy={read.isPending}
            onClick={() => read.mutate({ params: { source_id: id } }, { onSuccess: sayOutcome })}
          >
            Read now
          </Button>
        ) : (
          <Button aria-label={`Push the state of ${name}`} onClick={() => onOpen("push")}>
            Push
          </Button>
        )}
        <Button aria-label={`Edit ${name}`} onClick={() => onOpen("edit")}>
          Edit
        </Button>
        <Button aria-label={`Delete ${name}`} onClick={() => onOpen("delete")}>
          Delete
        </Button>
      </span>
      {read.error && <Failure error={read.error} />}
    </span>
  );
}

function sayOutcome({ last_error: error }: Source): void {
  say(error ? "The state couldn’t be read" : "The state is read");
}

/** Asks before a source is deleted. */
export function DeleteSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const { id, name, resource_count: count, backend } = source;
  const remove = useAct("DELETE /orgs/{id}/iac-sources/{source_id}", REFRESHED);
  return (
    <Confirm
      title={`Delete ${name}?`}
      deed="Delete the source"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { source_id: id } });
        say(`${name} is deleted`);
      }}
    >
      {count > 0
        ? `The ${countOf(count, "resource")} that it declares count as undeclared from then on, unless another source declares them, and their drift is gone. `
        : "It declares nothing. "}
      {backend ? "The state itself stays where it is. " : ""}
      This can’t be undone.
    </Confirm>
  );
}
