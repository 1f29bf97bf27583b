/** Shows the mark and the name. */
export function Logo() {
  return (
    <span className="flex items-center gap-2 text-[15px] font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" className="size-6" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="fill-[#0b66c2]" />
        <path d="M15 6v16H6.500C8 15 11 9.500 15 6Z" fill="#fff" />
        <path d="M18 10.500c3.400 2.600 5.900 6.600 7 11.500h-7Z" fill="#fff" opacity=".65" />
        <path d="M5 25.500h22" stroke="#fff" strokeWidth="2.200" strokeLinecap="round" />
      </svg>
      Leeway
    </span>
  );
}
