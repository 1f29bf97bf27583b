import { MATCH_STATUSES } from "@leeway/shared/contracts/inventory/resources";
import { Uuid } from "@leeway/shared/contracts/common";
import { words } from "@leeway/shared/contracts/contract";
import { decode } from "@leeway/shared/values/decode";
import { Type as t, type Static, type TObject } from "@sinclair/typebox";

import { analyze } from "../analyze/analyze.ts";
import { path, type Api } from "../api/client.ts";
import { expectOk } from "../api/refusal.ts";
import type { Terminal } from "../terminal.ts";

/** Access of a call: a terminal whose output is the tool's answer, and the server, opened when it is needed. */
interface Access {
  terminal: Terminal;
  openApi(): Promise<Api>;
}

/** A tool. All of them only read. */
export interface Tool {
  name: string;
  description: string;
  input: TObject;
  needsServer: boolean;
  /** Returns the answer; what it prints comes before it. @throws {Failure} with the reason if it can't */
  run(input: unknown, access: Access): Promise<string>;
}

const MAX_ROWS = 100;
const RISKS = ["critical", "high", "medium", "low", "none"] as const;

function tool<I extends TObject>(
  about: Omit<Tool, "run" | "input"> & { input: I },
  run: (input: Static<I>, access: Access) => Promise<string>,
): Tool {
  return { ...about, run: (input, access) => run(decode(about.input, input), access) };
}

const File = t.String({ minLength: 1, description: "Path of a file on this machine" });
const strict = { additionalProperties: false };

const LOCAL = [
  tool(
    {
      name: "drift",
      description:
        "Compares states of infrastructure as code with lists of live resources, in files: coverage, and missing, changed and undeclared resources with their risk, worst first. Sends nothing.",
      input: t.Object(
        {
          states: t.Array(File, {
            minItems: 1,
            description: "Terraform, OpenTofu, Pulumi or CloudFormation",
          }),
          listings: t.Array(File, { minItems: 1, description: "Lists of the accounts' live resources" }),
          account: t.Optional(
            t.String({ description: "Account of the listings if they name none: PROVIDER:ID" }),
          ),
        },
        strict,
      ),
      needsServer: false,
    },
    async ({ states, listings, account }, { terminal }) => {
      const { drift } = await import("../drift/drift.ts");
      // With an equals sign no path is taken for a flag.
      const files = [
        ...states.map((file) => `--state=${file}`),
        ...listings.map((file) => `--listing=${file}`),
      ];
      await drift([...files, ...(account === undefined ? [] : [`--account=${account}`])], terminal);
      return "";
    },
  ),
  tool(
    {
      name: "analyze_plan",
      description:
        "Finds the dangerous changes, the noise and the drift in a Terraform or OpenTofu plan: the file that `terraform show -json` wrote. Sends nothing, and shows no secrets.",
      input: t.Object({ plan: File }, strict),
      needsServer: false,
    },
    async ({ plan }, { terminal }) => {
      await analyze(["--local", "--", plan], terminal);
      return "";
    },
  ),
];

const Limit = t.Optional(t.Integer({ minimum: 1, maximum: MAX_ROWS, description: "Rows, 50 by default" }));
const Cursor = t.Optional(t.String({ description: "next_cursor of the page before" }));
const Account = t.Optional({ ...Uuid, description: "Id of an account, from posture" });

/** Declares a tool that reads a path of the organization. */
function reading(name: string, place: string, description: string, filters: TObject["properties"]): Tool {
  const about = { name, description, input: t.Object(filters, strict), needsServer: true };
  return tool(about, async (input, { openApi }) => {
    const api = await openApi();
    const given = Object.entries(input).map(([key, value]): [string, string] => [key, String(value)]);
    const query = new URLSearchParams(given);
    if ("limit" in filters && !query.has("limit")) query.set("limit", "50");
    const asked = { method: "GET", path: `${path`orgs/${api.orgId}`}/${place}?${query.toString()}` } as const;
    return JSON.stringify(expectOk(await api.ask(asked), name).body, null, 1);
  });
}

const SERVER = [
  reading(
    "posture",
    "posture",
    "Lists the organization's accounts: coverage, risk and counts, worst first.",
    {},
  ),
  reading("resources", "resources", "Lists live resources of the organization's accounts.", {
    account_id: Account,
    match: t.Optional(words([...MATCH_STATUSES])),
    q: t.Optional(t.String({ description: "Part of the name or id" })),
    limit: Limit,
    cursor: Cursor,
  }),
  reading(
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
  reading("plan_noise", "plan-noise", "Lists recurring noise in plans, which changes nothing when applied.", {
    status: t.Optional(words(["active", "muted", "fixed"])),
    limit: Limit,
    cursor: Cursor,
  }),
];

export const TOOLS: readonly Tool[] = [...LOCAL, ...SERVER];
