/** Samples of what has to do with language models. */

export const LLM_CONFIG = {
  provider: "anthropic",
  model: "claude-sonnet-5-5",
  key_hint: "…wxyz",
  key_fingerprint: "sha256:9f86d081",
  created_at: "2026-10-07T09:30:00.000Z",
  updated_at: "2026-10-07T09:30:00.000Z",
  last_used_at: "2026-10-07T14:05:12.000Z",
  breaker: { state: "closed", consecutive_failures: 0 },
};
