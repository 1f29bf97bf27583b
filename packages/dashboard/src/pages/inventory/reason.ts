const KINDS: Readonly<Record<string, string>> = {
  permission_denied: "Leeway isn’t permitted to read it",
  not_found: "It no longer exists in the cloud",
  throttled: "The cloud limits the rate of requests",
};

const FORM = /^(\w+): (.*)$/s;

/** Returns why a cloud couldn't be asked, which a failure of the cloud reports as `kind: text`. */
export function obstacleInWords(message: string): string | undefined {
  const [, kind = "", text] = FORM.exec(message) ?? [];
  return kind in KINDS ? reasonInWords(message) : text;
}

/** Returns `permission_denied: …` as a sentence; other reasons unchanged. */
export function reasonInWords(reason: string): string {
  const [, kind = "", text = ""] = FORM.exec(reason) ?? [];
  const words = KINDS[kind];
  return words === undefined ? reason : `${words}: ${text}`;
}
