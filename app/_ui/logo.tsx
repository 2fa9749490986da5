export function Logo({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      className={className}
    >
      <path d="M12 22V11" />
      <path d="M12 17c0-3-1.6-4.6-5-5" />
      <path d="M12 14c0-3 1.6-4.8 5-5.2" />
      <circle cx="12" cy="5.5" r="3" fill="currentColor" stroke="none" />
      <circle cx="5.2" cy="11.3" r="2.4" fill="currentColor" stroke="none" />
      <circle cx="18.8" cy="8.3" r="2.4" fill="currentColor" stroke="none" />
    </svg>
  );
}
