import { readFile } from "node:fs/promises";

import { markerNamed } from "@leeway/analysis/comment/marker";
import { integer, optional, variable } from "@leeway/shared/platform/config";

import { ABOUT_FLAGS } from "../analyze/flags.ts";
import { eventOf, pipelineValues } from "../analyze/pipeline.ts";
import { flag, HELP, loadFlags, maybe, maybeOneOf, readArguments, usage, type Syntax } from "../arguments.ts";
import { accessOf, HOST, hostOf, HOSTS, TOKEN_VARIABLE, type Access } from "../code-host/access.ts";
import { openComments } from "../code-host/comments.ts";
import { openHost } from "../code-host/host-api.ts";
import { putComment } from "../code-host/put-comment.ts";
import { EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import { reasonOf } from "../reason.ts";
import type { Terminal } from "../terminal.ts";
import { bytesOf, decodeText } from "../text.ts";
import { parseUrl } from "../url.ts";

const FLAGS = {
  "--marker": flag("NAME", variable("name that a later call updates the comment by", String, "report")),
  "--host": flag("HOST", maybeOneOf("code host; by default the one whose pipeline this is", HOSTS)),
  "--api-url": flag("URL", maybe("address of the code host's API", parseUrl)),
  "--repository": ABOUT_FLAGS["--repository"],
  "--pull-number": ABOUT_FLAGS["--pull-number"],
  "--tries": flag("COUNT", integer("tries of each request", 5, 1, 100)),
  "--max-seconds": flag("SECONDS", integer("time limit of the command, with retries", 120, 1, 86_400)),
  [TOKEN_VARIABLE]: flag("", optional("token that writes the comment, instead of the job's own")),
};
type Values = ReturnType<typeof loadFlags<typeof FLAGS>>;

export const COMMENT: Syntax = {
  command: "comment",
  operands: ["FILE"],
  about: [
    "Posts a Markdown file as a comment on the pull or merge request, with the job's own token. Later calls with the",
    "same marker update that comment. - is standard input.",
  ].join("\n"),
  flags: FLAGS,
  switches: {},
  exits: Object.values(EXITS),
};

/** Runs `leeway comment`. @throws {Failure} when there is no comment */
export async function comment(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(COMMENT, args);
  if (given.isOn(HELP)) return terminal.print(help(COMMENT));
  const { env, log, version } = terminal;
  const values = loadFlags(FLAGS, given, env, pipelineValues(env, await eventOf(env)));
  const place = placeOf(values);
  const access = required(values, env);
  const text = await readText(given.operands[0] ?? "", terminal);
  const { "--tries": tries, "--max-seconds": maxSeconds, "--marker": marker } = values;
  const api = openHost(access, { tries, maxSeconds, userAgent: `leeway-cli/${version}`, log });
  const comments = openComments(access.host, api, place);
  const put = await terminal.during("posting the comment", () =>
    putComment(comments, markerNamed(marker), text),
  );
  terminal.print(`comment ${put.outcome}${URL.canParse(put.url) ? `: ${new URL(put.url).href}` : ""}\n`);
}

function placeOf({ "--repository": repository, "--pull-number": number }: Values) {
  if (repository === undefined) throw usage(COMMENT.command, "--repository is required");
  if (number === 0)
    throw usage(COMMENT.command, "--pull-number is required: there is no pull or merge request");
  return { repository, number };
}

function required({ "--host": given, "--api-url": api }: Values, env: Terminal["env"]): Access {
  const host = given ?? hostOf(env);
  if (host === undefined) throw usage(COMMENT.command, `--host is required: ${HOSTS.join(" or ")}`);
  const access = accessOf(host, env, api);
  if (access) return access;
  throw usage(COMMENT.command, `a token is required: set one of ${HOST[host].tokens.join(", ")}`);
}

async function readText(file: string, { readInput }: Terminal): Promise<string> {
  const bytes = file === "-" ? await bytesOf(readInput()) : await read(file);
  const text = decodeText(bytes);
  if (text.trim() === "") throw new Failure("refused", `${file === "-" ? "standard input" : file} is empty`);
  return text;
}

async function read(file: string): Promise<Uint8Array> {
  return readFile(file).catch((cause: unknown) => {
    throw new Failure("refused", `${file}: ${reasonOf(cause)}`, { cause });
  });
}
