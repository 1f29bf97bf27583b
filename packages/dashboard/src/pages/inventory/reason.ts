const KINDS: Readonly<Record<string, string>> = {
  permission_denied: "Leeway isn’t permitted to read it",
  not_found: "The cloud doesn’t know it any more",
  throttled: "The cloud asks to wait",
};

const FORM = /^(\w+): (.*)$/s;

/** Why no cloud could be asked, which a failure says as `kind: text` where it is none of Leeway's own. */
export function obstacleInWords(message: string): string | undefined {
  const [, kind = "", text] = FORM.exec(message) ?? [];
  return kind in KINDS ? reasonInWords(message) : text;
}

/** `permission_denied: …` as a sentence; a reason of another kind as it is. */
export function reasonInWords(reason: string): string {
  const [, kind = "", text = ""] = FORM.exec(reason) ?? [];
  const words = KINDS[kind];
  return words === undefined ? reason : `${words}: ${text}`;
}
