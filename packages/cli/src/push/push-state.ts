import { isUuid } from "@leeway/shared/contract";
import { text as required } from "@leeway/shared/config";
import { text, type JsonObject } from "@leeway/shared/json";

import { path, type Api } from "../api/client.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { listAll } from "../api/list.ts";
import { openApi } from "../api/open-api.ts";
import { expectOk, plain } from "../api/refusal.ts";
import { flag, HELP, loadFlags, readArguments, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { upload } from "./upload.ts";

const API_FLAGS = apiFlags(900);
const FLAGS = { "--source": flag("NAME|ID", required("the source that the state is of")) };

export const PUSH_STATE: Syntax = {
  command: "state push",
  operands: ["FILE"],
  about: [
    "Pushes a state: of Terraform or OpenTofu, as a file or as `show -json` writes it, a Pulumi stack export, or",
    "CloudFormation stack resources. - reads the standard input: terraform state pull | leeway state push - …",
  ].join("\n"),
  flags: { ...FLAGS, ...API_FLAGS },
  switches: API_SWITCHES,
  exits: Object.values(EXITS),
};

/** `leeway state push` */
export async function pushState(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(PUSH_STATE, args);
  if (given.isOn(HELP)) return terminal.print(help(PUSH_STATE));
  const { "--source": wanted } = loadFlags(FLAGS, given, terminal.env);
  const [file = ""] = given.operands;
  const api = await openApi(API_FLAGS, given, terminal);
  const source = await findSource(api, wanted);
  const place = path`orgs/${api.orgId}/iac-sources/${source.id}/state`;
  const { body } = expectOk(await upload(api, place, file, terminal), "the state");
  terminal.print(`${summary(source.name, body)}\n`);
}

interface Source {
  id: string;
  name: string;
}

/** Found before anything is sent: a refusal in the middle of an upload is easily lost. */
async function findSource(api: Api, wanted: string): Promise<Source> {
  if (isUuid(wanted)) {
    const answer = await api.ask({ method: "GET", path: path`orgs/${api.orgId}/iac-sources/${wanted}` });
    return { id: wanted, name: text(expectOk(answer, "the source").body, "name") ?? wanted };
  }
  for await (const row of listAll(api, path`orgs/${api.orgId}/iac-sources`, "the sources")) {
    const id = text(row, "id");
    if (text(row, "name") === wanted && id !== undefined) return { id, name: wanted };
  }
  const advice = `add it by POST /api/v2/orgs/${api.orgId}/iac-sources with {"name": …}`;
  throw new Failure("not_found", `there is no source with the name that --source says: ${advice}`);
}

function summary(name: string, source: JsonObject): string {
  const counts = ["resource", "matched", "missing", "unobserved"].flatMap((kind) => {
    const count = source[`${kind}_count`];
    return typeof count === "number"
      ? [`${count} ${kind === "resource" && count !== 1 ? "resources" : kind}`]
      : [];
  });
  return [`pushed to ${plain(name)}`, ...counts].join(", ");
}
