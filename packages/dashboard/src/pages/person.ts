/**
 * Returns the short name of a person or program that a cloud names: the session of an assumed role, the last part of
 * another ARN, or the text itself, such as an e-mail address.
 */
export function personName(principal: string): string {
  if (!principal.startsWith("arn:")) return principal;
  return principal.split(/[/:]/).findLast((part) => part !== "") ?? principal;
}

/** Returns the text for a key of a group by person and hour, such as `2026-10-07T14:00Z ada@example.com`. */
export function hourText(key: string): string {
  const [hour = "", ...name] = key.split(" ");
  return `${personName(name.join(" "))}, ${hour.replace("T", " ").replace("Z", " UTC")}`;
}
