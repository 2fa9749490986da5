"use client";

import { Toaster as Sonner } from "sonner";

export function Toaster() {
  return (
    // Sonner returns the focus whenever it leaves, which would trap the Tab key.
    <div onFocusCapture={(event) => event.stopPropagation()}>
      <Sonner
        // At the bottom, toasts would cover the composer.
        position="top-center"
        gap={8}
        offset={60}
        mobileOffset={{ top: 60, left: 16, right: 16 }}
        toastOptions={{
          unstyled: true,
          classNames: {
            toast:
              "flex w-full items-center font-sans! gap-3 rounded-lg bg-ink px-4 py-3 text-paper text-sm shadow-dialog sm:w-(--width)",
            content: "min-w-0 flex-1",
            title: "font-medium",
            description: "opacity-80",
            icon: "hidden",
            actionButton:
              "shrink-0 rounded-sm px-2 py-1 font-semibold underline-offset-4 hover:underline outline-offset-0",
          },
        }}
      />
    </div>
  );
}
