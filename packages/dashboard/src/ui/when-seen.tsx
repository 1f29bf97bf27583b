import { useEffect, useRef, useState, type ReactNode } from "react";

const seen = new Set<string>();

interface WhenSeenProps {
  /** Name of the content. Content that was seen once is shown at once on the next visit, so that the page keeps its height. */
  name: string;
  /** Class names that reserve the content's usual height. */
  reserve: string;
  children: ReactNode;
}

/** Renders its content, which may read more data, once it is scrolled into sight, or for printing. */
export function WhenSeen({ name, reserve, children }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(() => seen.has(name));
  useEffect(() => {
    if (isSeen || !place.current) return;
    const show = (): void => {
      seen.add(name);
      setSeen(true);
    };
    const watcher = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && show(),
    );
    watcher.observe(place.current);
    addEventListener("beforeprint", show);
    return () => {
      watcher.disconnect();
      removeEventListener("beforeprint", show);
    };
  }, [isSeen, name]);
  return isSeen ? children : <div ref={place} className={reserve} />;
}
