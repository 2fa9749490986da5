"use client";

import { ChartColumn, ChevronsUpDown, CircleUser, Keyboard, LogOut, Settings } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { shellStore } from "@/app/_data/page/shell-store";
import { Menu, MenuItem, MenuSeparator } from "@/app/_ui/menu";
import { inSpace } from "@/app/_ui/page-space";
import { touchQuery, useMediaQuery } from "@/app/_ui/use-media-query";
import { openAddress } from "@/app/_ui/use-space";

const SigningOut = dynamic(
  () => import("@/app/_features/accounts/sign-out-button").then((part) => part.SigningOut),
  { ssr: false },
);

/** Without accounts, `name` is null. */
export function PersonMenu({ name }: { name: string | null }) {
  const router = useRouter();
  const hasKeyboard = !useMediaQuery(touchQuery);
  const [isLeaving, setIsLeaving] = useState(false);
  const go = (address: string) => {
    shellStore.closeSidebarSheet();
    openAddress(address, router);
  };
  return (
    <>
      <Menu
        align="start"
        side="top"
        trigger={
          <button
            type="button"
            className="flex h-9 pointer-coarse:h-11 w-full items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors hover:bg-hover data-[state=open]:bg-hover"
          >
            <CircleUser aria-hidden className="size-4 shrink-0 text-muted" />
            <bdi className="min-w-0 flex-1 truncate text-left">{name ?? "You"}</bdi>
            <span className="sr-only">: settings and usage</span>
            <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
          </button>
        }
      >
        <MenuItem icon={<Settings aria-hidden />} onSelect={() => go(inSpace("/settings"))}>
          Settings
        </MenuItem>
        <MenuItem icon={<ChartColumn aria-hidden />} onSelect={() => go("/usage")}>
          Usage
        </MenuItem>
        {hasKeyboard && (
          <MenuItem
            icon={<Keyboard aria-hidden />}
            shortcut={["?"]}
            onSelect={shellStore.openShortcuts}
          >
            Keyboard shortcuts
          </MenuItem>
        )}
        {name !== null && (
          <>
            <MenuSeparator />
            <MenuItem icon={<LogOut aria-hidden />} onSelect={() => setIsLeaving(true)}>
              Sign out
            </MenuItem>
          </>
        )}
      </Menu>
      {isLeaving && <SigningOut onStay={() => setIsLeaving(false)} />}
    </>
  );
}
