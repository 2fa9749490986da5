"use client";

import { Fragment } from "react";
import { askedSearch } from "@/app/_data/page/arrival";
import { hitAddress } from "@/app/_data/search/search-addresses";
import { pageSpace } from "@/app/_ui/page-space";
import { askedProject } from "@/lib/chat/wire/asked-project";
import type { PlaceFoundWire } from "@/lib/chat/wire/search";
import { HitGroups, MoreItem, SessionGroup } from "./palette-groups";

export interface ElsewhereProps {
  query: string;
  places: readonly PlaceFoundWire[];
  onOpen: (path: string) => void;
  onQuery: (query: string) => void;
}

export function Elsewhere({ query, places, onOpen, onQuery }: ElsewhereProps) {
  const { line } = askedProject(query);
  return places.map(({ space, name, hits, sessions }) => {
    const place = name ?? "My chats";
    const hitIds = new Set(hits.map(({ sessionId }) => sessionId));
    return (
      <Fragment key={space}>
        <HitGroups
          hits={hits}
          place={{ space, name: place }}
          onOpen={(hit) => onOpen(hitAddress(hit, space))}
        />
        <SessionGroup
          heading={`${place} › Chats`}
          sessions={sessions.filter(({ id }) => !hitIds.has(id))}
          space={space}
          onOpen={onOpen}
        />
        <MoreItem
          id={`search in ${space}`}
          label={`Search in ${place}`}
          onSelect={() =>
            space === pageSpace ? onQuery(line) : onOpen(askedSearch.address(line, space))
          }
        />
      </Fragment>
    );
  });
}
