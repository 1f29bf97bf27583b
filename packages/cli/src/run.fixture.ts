import { version } from "../package.json" with { type: "json" };
import { runCli } from "./cli.ts";
import { ORG_ID, SECRET } from "./planner-hook/endpoint.fixture.ts";

export interface Run {
  code: number;
  output: string;
  messages: string[];
}

/** Variables that Atlantis sets for a step, without a plan and Leeway's address. */
export const ATLANTIS = {
  ATLANTIS_TERRAFORM_VERSION: "1.9.0",
  ATLANTIS_TERRAFORM_DISTRIBUTION: "terraform",
  PROJECT_NAME: "shop",
  REPO_REL_DIR: "infra/shop",
  WORKSPACE: "default",
  BASE_REPO_OWNER: "acme/platform",
  BASE_REPO_NAME: "infra",
  HEAD_BRANCH_NAME: "bigger-database",
  BASE_BRANCH_NAME: "main",
  HEAD_COMMIT: "8d5f3c2e9a1b4f6d7c8e9f0a1b2c3d4e5f6a7b8c",
  PULL_AUTHOR: "grace",
  PULL_NUM: "12",
  PULL_URL: "https://gitlab.example.com/acme/platform/infra/-/merge_requests/12",
  LEEWAY_WEBHOOK_SECRET: SECRET,
  LEEWAY_WEBHOOK_URL: `http://127.0.0.1:1/webhooks/planner/${ORG_ID}`,
};

/** Program to run instead, such as a built executable. */
const { LEEWAY_TEST_PROGRAM: PROGRAM } = process.env;

/**
 * Runs the command in this process; `input` is its standard input: text, chunks of bytes, or a value to send as JSON.
 */
export async function run(
  args: string[],
  env: Record<string, string | undefined> = ATLANTIS,
  input?: unknown,
): Promise<Run> {
  if (PROGRAM) return runProgram([PROGRAM, ...args], env, input);
  let output = "";
  const messages: string[] = [];
  const code = await runCli(args, {
    env,
    version,
    look: { width: 120, colours: false },
    print: (text) => {
      output += text;
    },
    log: (message) => void messages.push(message),
    during: (_, work) => work(),
    readInput: async function* () {
      yield* bytesOf(input);
    },
  });
  return { code, output, messages };
}

async function runProgram(
  command: string[],
  env: Record<string, string | undefined>,
  input: unknown,
): Promise<Run> {
  const stdin = input === undefined ? "ignore" : new Blob([...bytesOf(input)]);
  const child = Bun.spawn(command, { env, stdin, stdout: "pipe", stderr: "pipe" });
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  // A message may have several lines; each begins with the program's name.
  const messages = errors.split(/^leeway: /m).map((message) => message.replace(/\n$/, ""));
  return { code, output, messages: messages.slice(messages[0] === "" ? 1 : 0) };
}

function bytesOf(input: unknown): Uint8Array<ArrayBuffer>[] {
  if (isParts(input)) return input;
  return [Buffer.from(typeof input === "string" ? input : JSON.stringify(input))];
}

function isParts(input: unknown): input is Uint8Array<ArrayBuffer>[] {
  return Array.isArray(input) && input.every((part) => part instanceof Uint8Array);
}
