import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Announces a new page to screen readers. If the focused element is gone, moves the focus to the page. */
export function PageNews() {
  const router = useRouter();
  const [title, setTitle] = useState("");
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        setTitle(document.title);
        if (document.activeElement !== document.body) return;
        document.querySelector<HTMLElement>("#content")?.focus({ preventScroll: true });
      }),
    [router],
  );
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
