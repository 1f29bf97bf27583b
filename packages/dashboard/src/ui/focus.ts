/**
 * Notes what has the focus, and gives what sees to it that the focus isn't lost once that is gone: what stands in its
 * place in its table has it then, or else the page.
 */
export function keepFocus(): () => void {
  const had = document.activeElement;
  const table = had?.closest("[role=table]");
  const place = indexOf(had?.closest("[data-index]"));
  return () => {
    if (had?.isConnected) return;
    const rows = table?.isConnected ? Array.from(table.querySelectorAll("[data-index]")) : [];
    const row = rows.find((row) => indexOf(row) >= place) ?? rows.at(-1);
    const next = row?.querySelector("button") ?? document.querySelector<HTMLElement>("#content");
    next?.focus();
  };
}

function indexOf(row: Element | null | undefined): number {
  return Number(row?.getAttribute("data-index") ?? 0);
}
