import { ApiFailure, type RefusedField } from "../../api/failure.ts";

/** Values of the rejected webhook that messages mention. */
export interface WebhookPlace {
  address: string;
  repository: string;
}

type Field = "api_token" | "provider_base_url" | "repo_path" | "name";

/** Returns why a field was rejected and what to do; undefined if it wasn't. */
export function refusalOf(error: unknown, field: Field, place: WebhookPlace): string | undefined {
  const refused = refusedFields(error).find((one) => fieldOf(one) === field);
  if (!refused) return undefined;
  return wordsFor(refused.code, place) ?? sentence(refused.message);
}

/** Returns whether every reason of a failure belongs to a field of the form. */
export function isAboutFields(error: unknown): boolean {
  return refusedFields(error).length > 0;
}

function refusedFields(error: unknown): readonly RefusedField[] {
  return error instanceof ApiFailure && error.status === 400 ? error.fields : [];
}

/** Returns the field of a rejection. An instance that doesn't answer is a problem of its address. */
function fieldOf({ field, code }: RefusedField): string {
  return code === "unreachable" ? "provider_base_url" : field;
}

function wordsFor(code: string, { address, repository }: WebhookPlace): string | undefined {
  const host = URL.parse(address)?.host ?? address;
  const words: Readonly<Record<string, string>> = {
    expired: "This token has expired. Create one with a later expiry date.",
    no_expiry: "This token never expires. Create one with an expiry date.",
    missing_scope: "This token lacks the “api” scope, which comments require. Create one with it.",
    revoked: "This token was revoked. Create a new one.",
    rejected: `${host} doesn’t know this token. Check that you copied all of it, and that this instance issued it.`,
    repository_not_visible: `This token can’t comment in ${repository}. It needs the Developer role or above there. Check the path, too.`,
    unreachable: `${host} doesn’t answer like GitLab. Check the URL, and that it is reachable from the internet.`,
    not_public:
      "The address must be public HTTPS, such as https://gitlab.example.com. The operator of this server can allow an address in your network.",
  };
  return words[code];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
