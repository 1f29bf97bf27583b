import { text as required } from "@leeway/shared/platform/config";
import type { JsonObject } from "@leeway/shared/values/json";

import { path } from "../api/client.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { openApi } from "../api/open-api.ts";
import { expectOk, plain } from "../api/refusal.ts";
import { findSource } from "../api/sources.ts";
import { flag, HELP, loadFlags, readArguments, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { counted, grouped } from "@leeway/shared/values/counted";
import { upload } from "./upload.ts";

const API_FLAGS = apiFlags(900);
const FLAGS = { "--source": flag("NAME|ID", required("source of the state")) };

export const PUSH_STATE: Syntax = {
  command: "state push",
  operands: ["FILE"],
  about: [
    "Pushes a state: a file of Terraform or OpenTofu, the output of `show -json`, a Pulumi stack export, or the",
    "resources of a CloudFormation stack. - is standard input: terraform state pull | leeway state push - …",
  ].join("\n"),
  flags: { ...FLAGS, ...API_FLAGS },
  switches: API_SWITCHES,
  exits: Object.values(EXITS),
};

/** Runs `leeway state push`. */
export async function pushState(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(PUSH_STATE, args);
  if (given.isOn(HELP)) return terminal.print(help(PUSH_STATE));
  const { "--source": wanted } = loadFlags(FLAGS, given, terminal.env);
  const [file = ""] = given.operands;
  const api = await openApi(API_FLAGS, given, terminal);
  // Before the upload, because an error answer in the middle of one is easily lost.
  const source = await findSource(api, wanted);
  const place = path`orgs/${api.orgId}/iac-sources/${source.id}/state`;
  const { body } = expectOk(await upload(api, place, file, terminal), "the state");
  terminal.print(`${summary(source.name, body)}; ${api.page(path`sources/${source.id}`)}\n`);
}

function summary(name: string, source: JsonObject): string {
  const count = (kind: string): number | undefined => {
    const value = source[`${kind}_count`];
    return typeof value === "number" ? value : undefined;
  };
  const [all, matched, missing, unobserved] = ["resource", "matched", "missing", "unobserved"].map(count);
  return [
    `${plain(name)}: ${counted(all ?? 0, "resource")}`,
    ...(matched === undefined ? [] : [`${grouped(matched)} found live`]),
    ...(missing === undefined ? [] : [`${grouped(missing)} missing`]),
    ...(unobserved ? [`${grouped(unobserved)} unobserved (no listing says whether they exist)`] : []),
  ].join(", ");
}
