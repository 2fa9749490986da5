"use client";

import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";

export function Toaster({ onReady }: { onReady: (library: typeof toast) => void }) {
  // Runs after the effect of Sonner's toaster, which begins to listen.
  useEffect(() => onReady(toast), [onReady]);
  return (
    // Sonner returns the focus whenever it leaves, which would trap Tab.
    <div onFocusCapture={(event) => event.stopPropagation()}>
      <Sonner
        // Below the header; toasts at the bottom would cover the composer.
        position="top-center"
        gap={8}
        offset={{ top: 60 }}
        mobileOffset={{ top: 60, left: 16, right: 16 }}
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              "pointer-events-auto flex w-full items-center font-sans! gap-3 rounded-lg bg-ink px-4 py-3 text-paper text-sm shadow-dialog sm:w-(--width)",
            content: "min-w-0 flex-1",
            title: "font-medium",
            description: "opacity-80",
            icon: "hidden",
            cancelButton:
              "shrink-0 rounded-sm px-2 py-1 underline-offset-4 hover:underline outline-offset-0",
            actionButton:
              "shrink-0 rounded-sm px-2 py-1 font-semibold underline-offset-4 hover:underline outline-offset-0",
          },
        }}
      />
    </div>
  );
}
