import { useAct } from "../../api/act.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/form-dialog.tsx";
import { countOf } from "../../ui/number.ts";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import type { Source } from "./place.ts";

/** Operations to refetch after a new state. */
const REFRESHED = ["GET /orgs/{id}/iac-sources", "GET /orgs/{id}/posture"] as const;

export type SourceAction = "push" | "edit" | "delete";

/** Shows the actions on a source. */
export function SourceActions({
  source,
  onOpen,
}: {
  source: Source;
  onOpen: (action: SourceAction) => void;
}) {
  const { id, name, backend } = source;
  const read = useAct("POST /orgs/{id}/iac-sources/{source_id}/read", REFRESHED);
  return (
    <span className="flex flex-col items-end gap-2">
      <span className="flex flex-wrap justify-end gap-2">
        {backend ? (
          <Button
            aria-label={`Read the state of ${name} now`}
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

function sayOutcome({ name, last_error: error }: Source): void {
  say(error ? `The state of ${name} couldn’t be read` : `Read the state of ${name}`);
}

/** Asks for confirmation before deleting a source. */
export function DeleteSource({ source, onClose }: { source: Source; onClose: () => void }) {
  const { id, name, resource_count: count, backend } = source;
  const remove = useAct("DELETE /orgs/{id}/iac-sources/{source_id}", REFRESHED);
  return (
    <Confirm
      title={`Delete ${name}?`}
      confirmLabel="Delete source"
      onClose={onClose}
      act={async () => {
        await remove.mutateAsync({ params: { source_id: id } });
        say(`Deleted ${name}`);
      }}
    >
      {count > 0
        ? `Its ${countOf(count, "declared resource")} will count as undeclared, unless another source declares them. Their drift is deleted. `
        : "It declares no resources. "}
      {backend ? "The state itself isn’t deleted. " : ""}
      This can’t be undone.
    </Confirm>
  );
}
