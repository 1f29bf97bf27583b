const NAMES: Readonly<Record<string, string>> = { aws: "AWS", gcp: "Google Cloud", azure: "Azure" };
const SHORT: Readonly<Record<string, string>> = { aws: "AWS", gcp: "GCP", azure: "Az" };

/** Returns a cloud's display name. */
export function providerName(provider: string): string {
  return NAMES[provider] ?? provider;
}

export function ProviderMark({ provider }: { provider: string }) {
  return (
    <span
      aria-hidden="true"
      title={providerName(provider)}
      className="bg-sunken text-muted flex size-8 shrink-0 items-center justify-center rounded-lg text-[10px] font-semibold"
    >
      {SHORT[provider] ?? provider.slice(0, 3)}
    </span>
  );
}
