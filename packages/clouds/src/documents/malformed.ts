import { AppError } from "@leeway/shared/values/errors";

/**
 * Formats that are pushed by mistake, and patterns of their beginnings. A pattern matches a comment to the end of its
 * line in one way only. Otherwise, a line of a thousand `#` would take exponential time.
 */
const BEGINNINGS: readonly [name: string, pattern: RegExp][] = [
  [
    "a zip archive such as a saved Terraform plan; push its content, or a state from `terraform state pull`",
    /^PK[^ -~]/,
  ],
  // Its byte order mark isn't UTF-8. NUL follows next to each character.
  ["UTF-16, as written by PowerShell's `>`; save it as UTF-8", /^\uFFFD\uFFFD(?:\0|.\0)/],
  ["HTML or XML", /^\s*</],
  [
    "HCL, Terraform's configuration",
    /^\s*(?:(?:#|\/\/)[^\n]*\n\s*)*(?:terraform|provider|resource|data|module|variable|locals|output)\b[^:\n]*\{/,
  ],
  ["YAML", /^\s*(?:#[^\n]*\n\s*|---\s+)*["']?[\w.-]+["']?:(?:\s|$)/],
];

/** Returns the error for a body that can't be read as JSON. `problem` has the reason and the place. */
export function malformed(problem: string): AppError {
  return new AppError("unsupported_format", `the body isn't valid JSON: ${problem}`);
}

/** Returns the name of the format that a body has instead of JSON, if its beginning shows it. */
export function nameBeginning(beginning: Uint8Array): string | undefined {
  const text = Buffer.from(beginning.subarray(0, 2_000)).toString("utf8");
  return BEGINNINGS.find(([, pattern]) => pattern.test(text))?.[0];
}
