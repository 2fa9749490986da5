"use client";

import { Kbd } from "@/app/_ui/kbd";

export function PaletteFooter() {
  return (
    <div className="hidden pointer-coarse:hidden h-10 shrink-0 items-center gap-4 border-line border-t bg-paper px-4.5 text-faint text-xs sm:flex">
      <span className="flex items-center gap-1.5">
        <Kbd keys={["↑"]} />
        <Kbd keys={["↓"]} /> move
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd keys={["enter"]} /> open
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd keys={["Esc"]} /> back
      </span>
    </div>
  );
}
