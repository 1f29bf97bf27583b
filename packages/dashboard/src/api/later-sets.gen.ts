// Generated from packages/shared/src/contracts by `bun run docs`.

export const CHANNEL_KINDS = {"webhook":{"title":"Webhook of your own","target":"url"},"slack":{"title":"Slack","target":"url"},"teams":{"title":"Microsoft Teams","target":"url"},"email":{"title":"E-mail","target":"to"}} as const;

export const GAP_REASONS = ["no_counterpart","no_schema","provider_only","secret","excluded"] as const;

export const MODEL_PROVIDERS = {"anthropic":{"name":"Anthropic","model":"claude-sonnet-5-5","modelHint":"The latest Sonnet","options":[]},"openai":{"name":"OpenAI","model":"gpt-5.6","modelHint":"The latest GPT","options":[]},"azure_openai":{"name":"Azure OpenAI","modelHint":"The deployment’s name","address":"base_url","options":["deployment","api_version"]},"bedrock":{"name":"Amazon Bedrock","modelHint":"The model’s id","address":"options.region","options":["region"]},"google":{"name":"Google Gemini","model":"gemini-flash-latest","modelHint":"The latest Flash","options":[]},"openai_compatible":{"name":"OpenAI-compatible server","modelHint":"The server’s name for it","address":"base_url","options":[],"isKeyOptional":true}} as const;

export const RETENTION_DAYS = {"auditLog":400,"inputs":7,"deliveries":30,"jobs":30} as const;
