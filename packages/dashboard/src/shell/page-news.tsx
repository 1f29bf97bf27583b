import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Tells whoever can't see it that another page is shown. What had the focus may be gone: then the page has it. */
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
