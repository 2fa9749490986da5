"use client";

import { Archive, ListFilter } from "lucide-react";
import type { SessionFilter } from "@/app/_api/query-keys";
import { IconButton } from "@/app/_ui/button";
import { Menu, MenuCheck, MenuChoice, MenuLabel, MenuSeparator } from "@/app/_ui/menu";
import type { KnownTag } from "./use-sessions";

export interface SessionFilterMenuProps {
  filter: SessionFilter;
  onChange: (filter: SessionFilter) => void;
  knownTags: readonly KnownTag[];
}

// Tags cannot be empty.
const anyTag = "";

export function SessionFilterMenu({ filter, onChange, knownTags }: SessionFilterMenuProps) {
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
