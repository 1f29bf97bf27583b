/** Change of the session that all tabs of a browser share. */
type News = "signed in" | "signed out";

let opened: BroadcastChannel | undefined;

function channel(): BroadcastChannel {
  return (opened ??= new BroadcastChannel("leeway.session"));
}

/** Notifies the browser's other tabs. */
export function notifyTabs(news: News): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only one origin
  channel().postMessage(news);
}

/** Subscribes to changes in other tabs. */
export function onTabNews(onNews: (news: News) => void): void {
  channel().addEventListener("message", ({ data }: MessageEvent<News>) => onNews(data));
}
