import { Type as t, type Static, type TObject } from "@sinclair/typebox";

import { Uuid } from "../contracts/common.ts";
import { words } from "../contracts/contract.ts";
import { RuleContent } from "../contracts/inventory/rules.ts";
import { MATCH_STATUSES } from "../contracts/inventory/resources.ts";
import { decode } from "../values/decode.ts";
import { text, type JsonObject } from "../values/json.ts";

/** A request to the API, below the organization. */
export interface ToolRequest {
  method: "GET" | "POST";
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
}

/** Sends a request as the caller. @throws {Error} whose message is for the model, if it isn't a success */
export type AskApi = (request: ToolRequest) => Promise<JsonObject>;

/** A tool for language models. It reads or proposes, and never decides. */
export interface ServerTool {
  name: string;
  description: string;
  input: TObject;
  /** Checks the arguments and returns the answer. @throws {Error} whose message is for the model */
  run(input: unknown, ask: AskApi): Promise<JsonObject>;
}

const MAX_ROWS = 100;
const RISKS = ["critical", "high", "medium", "low", "none"] as const;
const LONGEST_WAIT_SECONDS = "25";
const strict = { additionalProperties: false };

const Limit = t.Optional(t.Integer({ minimum: 1, maximum: MAX_ROWS, description: "Rows, 50 by default" }));
const Cursor = t.Optional(t.String({ description: "next_cursor of the page before" }));
const Account = t.Optional({ ...Uuid, description: "Id of an account, from posture" });
const Fingerprint = t.String({
  pattern: "^dc1_[0-9a-f]{32}$",
  description: "Fingerprint of a change, from drift_changes",
});

function tool<I extends TObject>(
  about: Omit<ServerTool, "run" | "input"> & { input: I },
  run: (input: Static<I>, ask: AskApi) => Promise<JsonObject>,
): ServerTool {
  return { ...about, run: (input, ask) => run(decode(about.input, input), ask) };
}

/** Declares a tool that reads a list of the organization. */
function listing(
  name: string,
  path: string,
  description: string,
  filters: TObject["properties"],
): ServerTool {
  return tool({ name, description, input: t.Object(filters, strict) }, (input, ask) => {
    const given = Object.entries(input).map(([key, value]): [string, string] => [key, String(value)]);
    return ask({
      method: "GET",
      path,
      query: { ...("limit" in filters && { limit: "50" }), ...Object.fromEntries(given) },
    });
  });
}

/** Tools that read. */
const READING_TOOLS: readonly ServerTool[] = [
  listing(
    "posture",
    "posture",
    "Lists the organization's accounts: coverage, risk and counts, worst first.",
    {},
  ),
  listing("resources", "resources", "Lists live resources of the organization's accounts.", {
    account_id: Account,
    match: t.Optional(words([...MATCH_STATUSES])),
    q: t.Optional(t.String({ description: "Part of the name or id" })),
    limit: Limit,
    cursor: Cursor,
  }),
  listing(
    "drift_changes",
    "drift-changes",
    "Lists differences from the code, with attributes, evidence and risk.",
    {
      account_id: Account,
      kind: t.Optional(words(["changed", "missing", "undeclared", "pending"])),
      risk_level: t.Optional(words([...RISKS])),
      limit: Limit,
      cursor: Cursor,
    },
  ),
  listing("plan_noise", "plan-noise", "Lists recurring noise in plans, which changes nothing when applied.", {
    status: t.Optional(words(["active", "muted", "fixed"])),
    limit: Limit,
    cursor: Cursor,
  }),
  tool(
    {
      name: "drift_change",
      description:
        "Shows one change: what differs, its risk and evidence, who made it, and where it is declared.",
      input: t.Object({ fingerprint: Fingerprint }, strict),
    },
    ({ fingerprint }, ask) => ask({ method: "GET", path: `drift-changes/${fingerprint}` }),
  ),
];

/** Tools that propose code and evaluate rules. They store nothing. */
const PROPOSING_TOOLS: readonly ServerTool[] = [
  tool(
    {
      name: "propose_adoption",
      description:
        "Proposes Terraform code with import blocks for undeclared resources. Nothing is stored; a person applies it.",
      input: t.Object(
        { resource_ids: t.Array(Uuid, { minItems: 1, maxItems: 50, description: "From resources" }) },
        strict,
      ),
    },
    (body, ask) => ask({ method: "POST", path: "adoptions", body }),
  ),
  tool(
    {
      name: "propose_settlement",
      description:
        "Proposes how to end a change in code: a patch that accepts what is live, or the commands that revert it. Nothing is stored; a person applies it.",
      input: t.Object({ fingerprint: Fingerprint, how: words(["accept", "revert"]) }, strict),
    },
    ({ fingerprint, how }, ask) =>
      ask({ method: "POST", path: `drift-changes/${fingerprint}/settlement`, body: { how } }),
  ),
  tool(
    {
      name: "evaluate_rule",
      description: "Shows what a rule would do to the organization's current changes. Nothing is stored.",
      input: t.Pick(RuleContent, ["on", "when", "then"], strict),
    },
    (body, ask) => ask({ method: "POST", path: "rules/preview", body }),
  ),
];

/** Analyzes a plan that the model passes. The plan is stored as any other one, so that its page can be linked. */
export const ANALYZE_TOOL: ServerTool = tool(
  {
    name: "analyze_plan",
    description:
      "Finds the dangerous changes, the noise and the drift in a Terraform or OpenTofu plan: the output of `terraform show -json`. Secrets are masked before it is stored.",
    input: t.Object({ plan: t.Object({}, { additionalProperties: true }) }, strict),
  },
  async ({ plan }, ask) => {
    const job = await ask({ method: "POST", path: "analyze", body: { plan, narrative: false } });
    const path = `llm-jobs/${text(job, "job_id") ?? ""}`;
    return ask({ method: "GET", path, query: { wait: LONGEST_WAIT_SECONDS } });
  },
);

/** Tools that need a server. */
export const SERVER_TOOLS: readonly ServerTool[] = [...READING_TOOLS, ...PROPOSING_TOOLS];
