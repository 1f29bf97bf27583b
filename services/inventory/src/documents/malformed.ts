import { AppError } from "@leeway/shared/errors";

/**
 * What a body may be by mistake, and how such a one begins. A comment goes to the end of its line in one way only: in
 * several, a line of a thousand `#` would never be done with.
 */
const BEGINNINGS: readonly [name: string, pattern: RegExp][] = [
  [
    "a zip archive, as a saved Terraform plan is: push what is in it, or a state by `terraform state pull`",
    /^PK[^ -~]/,
  ],
  // Its mark is no UTF-8; behind it stands NUL beside each character.
  ["UTF-16, as PowerShell's `>` writes it: save it as UTF-8", /^\uFFFD\uFFFD(?:\0|.\0)/],
  ["HTML or XML", /^\s*</],
  [
    "HCL, Terraform's configuration",
    /^\s*(?:(?:#|\/\/)[^\n]*\n\s*)*(?:terraform|provider|resource|data|module|variable|locals|output)\b[^:\n]*\{/,
  ],
  ["YAML", /^\s*(?:#[^\n]*\n\s*|---\s+)*["']?[\w.-]+["']?:(?:\s|$)/],
];

/** A body that is no JSON that we can read; `problem` says what and where. */
export function malformed(problem: string): AppError {
  return new AppError("unsupported_format", `the body is not JSON that can be read: ${problem}`);
}

/** The name of what `beginning` is instead of JSON, when it shows. */
export function nameBeginning(beginning: Uint8Array): string | undefined {
  const text = Buffer.from(beginning.subarray(0, 2_000)).toString("utf8");
  return BEGINNINGS.find(([, pattern]) => pattern.test(text))?.[0];
}
