import { useOrgId } from "../../api/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Views } from "../../ui/views.tsx";
import { AdminsKey } from "../admins-key.tsx";
import { stateCommands } from "../push-commands.ts";
import type { Source } from "./place.ts";

/** Explains how to push a source's state. */
export function PushState({ source, onClose }: { source: Source; onClose: () => void }) {
  return (
    <Dialog
      title={`Push the state of ${source.name}`}
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <PushCommands source={source} />
    </Dialog>
  );
}

/** Shows the commands, by the tool that keeps the state. */
export function PushCommands({ source }: { source: Source }) {
  const orgId = useOrgId();
  const commands = stateCommands(
    `${location.origin}/api/v2/orgs/${orgId}/iac-sources/${source.id}/state`,
    source.kind,
  );
  return (
    <>
      <Views
        label="Tool"
        views={commands.map(({ title, code }) => [title, <Code key={title} title="Commands" code={code} />])}
      />
      <AdminsKey />
    </>
  );
}
