const KINDS: Readonly<Record<string, string>> = {
  permission_denied: "Leeway isn’t permitted to read it",
  not_found: "The cloud doesn’t know it any more",
  throttled: "The cloud asks to wait",
};

/** `permission_denied: …` as a sentence; a reason of another kind as it is. */
export function reasonInWords(reason: string): string {
  const [, kind = "", text = ""] = /^(\w+): (.*)$/s.exec(reason) ?? [];
  const words = KINDS[kind];
  return words === undefined ? reason : `${words}: ${text}`;
}
