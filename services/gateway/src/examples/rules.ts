import { ID, LATER } from "./common.ts";
import { DRIFT_CHANGE } from "./drift.ts";

// oxlint-disable-next-line unicorn/no-thenable -- the API's name; an object can't be called
const EFFECT = { then: { ignore: true } };

/** Examples of rules for the documentation. A test checks each against its schema. */
export const NEW_RULE = {
  name: "Sandbox accounts",
  on: ["undeclared", "changed"],
  when: 'resource.account == "123456789012" && "sandbox" in resource.tags',
  ...EFFECT,
  reason: "Anyone may try things there.",
  owner: "platform team",
  expires_at: "2027-01-01T00:00:00Z",
};

export const RULE_DRAFT = { on: NEW_RULE.on, when: NEW_RULE.when, ...EFFECT };

export const RULE = {
  id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7f01",
  ...NEW_RULE,
  enabled: true,
  built_in: false,
  matched_count: 12,
  hidden_count: 12,
  created_by: { type: "person", id: ID.person },
  created_at: LATER,
  updated_at: LATER,
};

export const RULE_PREVIEW = {
  matched_count: 1,
  hidden_count: 1,
  raised_count: 0,
  failed_count: 3,
  evaluated_count: 120,
  counts: { undeclared: 0, changed: 1 },
  failure:
    'a change has no "env"; ask for it first, as in has(resource.tags.env) && resource.tags.env == "dev"',
  samples: [DRIFT_CHANGE],
};
