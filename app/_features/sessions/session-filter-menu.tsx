"use client";

import { Archive, ListFilter, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import type { SessionListFilter } from "@/app/_api/query-keys";
import { shellStore } from "@/app/_data/page/shell-store";
import type { KnownTag } from "@/app/_data/sessions/use-sessions";
import { IconButton } from "@/app/_ui/button";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "@/app/_ui/menu";
import { inSpace } from "@/app/_ui/page-space";

export interface SessionFilterMenuProps {
  filter: SessionListFilter;
  onChange: (filter: SessionListFilter) => void;
  knownTags: readonly KnownTag[];
}

// Tags cannot be empty.
const anyTag = "";

export function SessionFilterMenu({ filter, onChange, knownTags }: SessionFilterMenuProps) {
  const router = useRouter();
  return (
    <Menu
      trigger={
        <IconButton label="Filter chats" tooltip="none">
          <ListFilter aria-hidden />
        </IconButton>
      }
    >
      <MenuCheck
        icon={<Archive aria-hidden />}
        checked={filter.archived}
        onChange={(archived) => onChange({ ...filter, archived })}
      >
        Archived chats
      </MenuCheck>
      <MenuItem
        icon={<Trash2 aria-hidden />}
        onSelect={() => {
          shellStore.closeSidebarSheet();
          router.push(inSpace("/settings?section=deleted"));
        }}
      >
        Recently deleted
      </MenuItem>
      {knownTags.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>Tag</MenuLabel>
          <MenuChoice
            label="Tag"
            value={filter.tag ?? anyTag}
            onChange={(tag) => onChange({ ...filter, tag: tag === anyTag ? null : tag })}
            options={[
              { value: anyTag, label: "Any" },
              ...knownTags.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` })),
            ]}
          />
        </>
      )}
    </Menu>
  );
}
