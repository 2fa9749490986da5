"use client";

import { Menu as MenuIcon, PanelLeft } from "lucide-react";
import { NewChatLink } from "@/app/_features/sessions/new-chat-link";
import { IconButton } from "@/app/_ui/icon-button";
import { shellStore } from "./shell-store";

/** Opens the chat list or a new chat while the sidebar is hidden. */
export function SidebarButtons() {
  return (
    <>
      <div className="md:hidden">
        <IconButton label="Chats and search" tooltip="none" onClick={shellStore.toggleSidebar}>
          <MenuIcon aria-hidden />
        </IconButton>
      </div>
      <div className="hidden items-center gap-1 md:in-data-[sidebar=closed]:flex">
        <IconButton
          label="Show chat list"
          shortcut={["mod", "B"]}
          onClick={shellStore.toggleSidebar}
        >
          <PanelLeft aria-hidden />
        </IconButton>
        <NewChatLink compact />
      </div>
    </>
  );
}
