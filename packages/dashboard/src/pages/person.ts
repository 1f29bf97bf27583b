/**
 * Returns the short name of a person or program that a cloud names: the session of an assumed role, the last part of
 * another ARN, or the text itself, such as an e-mail address.
 */
export function personName(principal: string): string {
  if (!principal.startsWith("arn:")) return principal;
  return principal.split(/[/:]/).findLast((part) => part !== "") ?? principal;
}
