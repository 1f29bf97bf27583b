/** What became of the session that all tabs of a browser have as one. */
type News = "signed in" | "signed out";

let opened: BroadcastChannel | undefined;

function channel(): BroadcastChannel {
  return (opened ??= new BroadcastChannel("leeway.session"));
}

/** Tells the browser's other tabs. */
export function tellTabs(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin alone
  channel().postMessage(news);
}

/** Hears what another tab tells. */
export function hearTabs(onNews: (news: News) => void): void {
  channel().addEventListener("message", ({ data }: MessageEvent<News>) => onNews(data));
}
