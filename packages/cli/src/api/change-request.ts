import type { ChangeRequest } from "@leeway/shared/contracts/analyzer/change-request";

/** Returns a line about a merge or pull request: its address, or why there is none. */
export function requestLine({ status, url, problem, branch }: ChangeRequest): string {
  return `change request ${status}: ${url ?? problem ?? branch}`;
}
