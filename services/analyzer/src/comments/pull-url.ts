/** GitHub's page of a pull request; no other host's is called so. */
const PULL = /^https?:\/\/[^/]+\/[^/]+\/[^/]+\/pull\/\d+(?:[/?#]|$)/;

/** Whether a merge or pull request is one of GitHub, as its address tells. */
export function isOfGithub(change: { url?: string } | undefined): boolean {
  return PULL.test(change?.url ?? "");
}
