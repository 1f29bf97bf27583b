import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { useAct } from "../../api/act.ts";
import { useOrgId, useRead } from "../../api/hooks.ts";
import { useMay } from "../../session/organizations.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { Empty, Failure, Read } from "../../ui/states.tsx";
import { say } from "../../ui/toast.tsx";
import { isTaken, needsGeneralMessage, useRefusedFocus } from "../refusals.ts";
import { ConditionHelp } from "./condition-help.tsx";
import { Preview } from "./preview.tsx";
import { CHANGED, type Rule } from "./rule.ts";
import { RuleFields, RULE_PATHS } from "./rule-fields.tsx";
import { newRuleSearch } from "./search.ts";
import { changedRule, draftOf, formOf, newRule, type RuleForm } from "./rule-form.ts";

/** Creates a rule. */
export function NewRulePage() {
  const { on, when } = useSearch({ from: "/orgs/$orgId/rules/new", select: newRuleSearch });
  const form = { ...formOf(undefined), ...(on && { on: [on] }), ...(when !== undefined && { when }) };
  return (
    <RuleFrame title="New rule">
      <Editor start={form} />
    </RuleFrame>
  );
}

/** Shows and edits a rule of the organization. */
export function RulePage() {
  const { ruleId } = useParams({ from: "/orgs/$orgId/rules/$ruleId" });
  const rules = useRead("GET /orgs/{id}/rules", {});
  const rule = rules.data?.data.find(({ id, built_in: isBuiltIn }) => id === ruleId && !isBuiltIn);
  return (
    <RuleFrame title={rule?.name ?? "Rule"}>
      <Read read={rules}>
        {() =>
          rule ? (
            <Editor key={rule.id} start={formOf(rule)} rule={rule} />
          ) : (
            <Empty title="This rule doesn’t exist">It may have been deleted.</Empty>
          )
        }
      </Read>
    </RuleFrame>
  );
}

function RuleFrame({ title, children }: { title: string; children: ReactNode }) {
  const orgId = useOrgId();
  return (
    <Page
      title={title}
      back={
        <BackLink to="/orgs/$orgId/rules" params={{ orgId }}>
          Rules
        </BackLink>
      }
    >
      {children}
    </Page>
  );
}

function Editor({ start, rule }: { start: RuleForm; rule?: Rule }) {
  const may = useMay("admin");
  const [form, setForm] = useState(start);
  const { save, isBusy, error } = useSave(rule);
  const preview = useAct("POST /orgs/{id}/rules/preview");
  const failure = error ?? preview.error;
  const fields = useRefusedFocus(failure);
  const change = (changed: Partial<RuleForm>): void => {
    setForm({ ...form, ...changed });
    if (preview.data) preview.reset(); // it showed the rule before
  };
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <Card>
          <form
            ref={fields}
            autoComplete="off"
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              save(form);
            }}
          >
            <fieldset disabled={!may} className="flex min-w-0 flex-col gap-4">
              <RuleFields form={form} onChange={change} error={failure} />
            </fieldset>
            {error && !isTaken(error) && needsGeneralMessage(error, RULE_PATHS) && <Failure error={error} />}
            <div className="flex flex-wrap justify-end gap-2">
              <Button
                busy={preview.isPending}
                disabled={form.when.trim() === "" || form.on.length === 0}
                onClick={() => preview.mutate({ body: draftOf(form) })}
              >
                Preview
              </Button>
              {may && (
                <Button kind="primary" type="submit" busy={isBusy} disabled={form.on.length === 0}>
                  {rule ? "Save" : "Create rule"}
                </Button>
              )}
            </div>
          </form>
        </Card>
        <Preview form={form} preview={preview.data} error={preview.error} />
      </div>
      <ConditionHelp />
    </div>
  );
}

function useSave(rule: Rule | undefined) {
  const orgId = useOrgId();
  const navigate = useNavigate();
  const make = useAct("POST /orgs/{id}/rules", CHANGED);
  const edit = useAct("PATCH /orgs/{id}/rules/{rule_id}", CHANGED);
  const save = (form: RuleForm): void => {
    const onSuccess = ({ name }: Rule): void => {
      say(`${rule ? "Saved" : "Created"} ${name}`);
      void navigate({ to: "/orgs/$orgId/rules", params: { orgId } });
    };
    if (rule) edit.mutate({ params: { rule_id: rule.id }, body: changedRule(rule, form) }, { onSuccess });
    else make.mutate({ body: newRule(form) }, { onSuccess });
  };
  return { save, isBusy: make.isPending || edit.isPending, error: make.error ?? edit.error };
}
