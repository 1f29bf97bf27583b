import { SERVER_TOOLS, type AskApi } from "@leeway/shared/mcp/tools";
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

/** A tool. The tools for files only read; the server's tools also propose. */
export interface Tool {
  name: string;
  description: string;
  input: TObject;
  needsServer: boolean;
  /** Returns the answer, after the printed output. @throws {Failure} with the reason if it can't */
  run(input: unknown, access: Access): Promise<string>;
}

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

/** Sends the request of a tool to the server. @throws {Failure} that explains why Leeway rejected it */
function asking(api: Api): AskApi {
  return async ({ method, path: place, query = {}, body }) => {
    const search = new URLSearchParams(query).toString();
    const sent = body && new TextEncoder().encode(JSON.stringify(body));
    const answer = await api.ask({
      method,
      path: `${path`orgs/${api.orgId}`}/${place}${search && `?${search}`}`,
      ...(sent && { headers: { "content-type": "application/json" }, body: () => sent }),
    });
    return expectOk(answer, place).body;
  };
}

const SERVER = SERVER_TOOLS.map((shared): Tool => ({
  ...shared,
  needsServer: true,
  async run(input, { openApi }) {
    const answer = await shared.run(input, async (request) => asking(await openApi())(request));
    return JSON.stringify(answer, null, 1);
  },
}));

export const TOOLS: readonly Tool[] = [...LOCAL, ...SERVER];
