import { useAct } from "../../api/act.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import { CHANGED, contentOf, type Rule } from "./rule.ts";

/** Switches a rule on or off. */
export function RuleSwitch({ rule: { id, name, enabled } }: { rule: Rule }) {
  const change = useAct("PATCH /orgs/{id}/rules/{rule_id}", CHANGED);
  const set = (to: boolean): void =>
    change.mutate(
      { params: { rule_id: id }, body: { enabled: to } },
      { onSuccess: () => say(`Switched ${to ? "on" : "off"} ${name}`) },
    );
  const action = enabled ? "Switch off" : "Switch on";
  return (
    <>
      <Button aria-label={`${action} ${name}`} busy={change.isPending} onClick={() => set(!enabled)}>
        {action}
      </Button>
      {change.error && <Failure error={change.error} />}
    </>
  );
}

/** Switches or deletes a rule. Deleting can be undone. */
export function RuleActions({ rule }: { rule: Rule }) {
  const { id, name } = rule;
  const remove = useAct("DELETE /orgs/{id}/rules/{rule_id}", CHANGED);
  const restore = useAct("POST /orgs/{id}/rules", CHANGED);
  const undo = (): void =>
    void restore.mutateAsync({ body: contentOf(rule) }).then(
      () => say(`Restored ${name}`),
      () => say(`${name} couldn’t be restored`),
    );
  const drop = (): void =>
    void remove.mutateAsync({ params: { rule_id: id } }).then(
      () => say(`Deleted ${name}`, { text: "Undo", onClick: undo }),
      () => undefined, // shown below
    );
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <RuleSwitch rule={rule} />
      <Button aria-label={`Delete ${name}`} busy={remove.isPending} onClick={drop}>
        Delete
      </Button>
      {remove.error && <Failure error={remove.error} />}
    </span>
  );
}
