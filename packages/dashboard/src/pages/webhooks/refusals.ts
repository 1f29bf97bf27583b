import { ApiFailure, type RefusedField } from "../../api/failure.ts";

/** What a webhook was to be made of, as far as its refusals are about it. */
export interface Wish {
  address: string;
  repository: string;
}

type Field = "api_token" | "provider_base_url" | "repo_path" | "name";

/** Why a field was refused and what to do about it; undefined where it wasn't. */
export function refusalOf(error: unknown, field: Field, wish: Wish): string | undefined {
  const refused = refusedFields(error).find((one) => fieldOf(one) === field);
  if (!refused) return undefined;
  return wordsFor(refused.code, wish) ?? sentence(refused.message);
}

/** Whether every reason of a failure belongs to a field of the form. */
export function isAboutFields(error: unknown): boolean {
  return refusedFields(error).length > 0;
}

function refusedFields(error: unknown): readonly RefusedField[] {
  return error instanceof ApiFailure && error.status === 400 ? error.fields : [];
}

/** An instance that doesn't answer is a matter of its address, whatever was asked there. */
function fieldOf({ field, code }: RefusedField): string {
  return code === "unreachable" ? "provider_base_url" : field;
}

function wordsFor(code: string, { address, repository }: Wish): string | undefined {
  const host = URL.parse(address)?.host ?? address;
  const words: Readonly<Record<string, string>> = {
    expired: "This token has expired. Make a new one that is good for longer.",
    no_expiry: "This token never ends. Only tokens with an expiry date are kept: make one that has it.",
    missing_scope:
      "This token lacks the scope “api”. Make one with it: no narrower scope may write comments.",
    revoked: "This token was revoked. Make a new one.",
    rejected: `${host} doesn’t know this token. Was it copied whole, and is it of this instance?`,
    repository_not_visible: `This token can’t comment in ${repository}. It takes the role Developer or above there; check the path, too.`,
    unreachable: `${host} doesn’t answer as GitLab does. Check the address, and that it can be reached from the internet.`,
    not_public:
      "The address must be public https, such as https://gitlab.example.com. One inside your network only whoever runs Leeway can let through.",
  };
  return words[code];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
